/** `TAPEDECK_STORAGE_URL`: where finished videos are stored. */

/** A bucket of an S3-compatible store. Credentials come from the usual AWS variables. */
export interface BucketLocation {
	bucket: string;
	/** Prefix of every key: empty, or with a slash at its end. */
	prefix: string;
	/** Null for Amazon S3. */
	endpoint: string | null;
	region: string;
}

const DEFAULT_REGION = "us-east-1";
const EXAMPLE = "s3://my-bucket/tapedeck?region=eu-central-1";

/**
 * @param name the variable, for the message.
 * @returns the bucket; null for the local disk.
 * @throws an Error whose message names the problem and the remedy.
 */
export function parseStorageUrl(name: string, text: string): BucketLocation | null {
	if (text === "file:") return null;
	const url = URL.parse(text);
	if (url?.protocol === "file:") {
		throw new Error(`${name} must be file: for the videos folder of TAPEDECK_DATA_DIR, which is a path of its own.`);
	}
	if (url?.protocol !== "s3:") throw new Error(`${name} must be file: or begin with s3://, such as ${EXAMPLE}.`);
	if (url.username !== "" || url.password !== "") {
		throw new Error(
			`${name} must not contain credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead, or another source that the AWS SDK knows.`,
		);
	}
	if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host)) {
		throw new Error(`${name} must name a bucket after s3://, such as ${EXAMPLE}.`);
	}
	const unknown = [...url.searchParams.keys()].filter((key) => key !== "endpoint" && key !== "region");
	if (unknown.length > 0) {
		throw new Error(`${name} understands endpoint and region after the question mark, but not ${unknown.join(", ")}.`);
	}
	const endpoint = url.searchParams.get("endpoint");
	if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? "")) {
		throw new Error(
			`The endpoint in ${name} must begin with http:// or https://, such as endpoint=https://s3.example.com.`,
		);
	}
	const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "");
	return {
		bucket: url.host,
		prefix: prefix === "" ? "" : `${prefix}/`,
		endpoint: endpoint?.replace(/\/+$/, "") ?? null,
		region: url.searchParams.get("region") ?? DEFAULT_REGION,
	};
}
