/** Tries out everything that is needed of a bucket, when the dashboard starts. */
import { randomBytes } from "node:crypto";
import type { Bucket } from "./bucket.ts";
import { type ObjectStoreError, objectFaultOf } from "./object-fault.ts";

const BYTES = Buffer.from("Tapedeck checks that it can use this bucket. This object can be deleted.\n");

/** A right that the key needs, and what needs it. */
interface Step {
	right: string;
	run: () => Promise<unknown>;
}

/**
 * @param name the variable that the location is from.
 * @throws an Error with a sentence for each problem, each with the remedy.
 */
export async function checkBucket(bucket: Bucket, name: string): Promise<void> {
	const key = `check-${randomBytes(8).toString("hex")}`;
	const composed = `${key}-composed`;
	const problems: string[] = [];
	const denied = new Set<string>();
	const unsupported = new Set<string>();
	const attempt = async ({ right, run }: Step): Promise<boolean> => {
		try {
			await run();
			return true;
		} catch (error) {
			if (objectFaultOf(error) === "denied") denied.add(right);
			else if (objectFaultOf(error) === "unsupported") unsupported.add(right);
			else problems.push(problemOf(error as ObjectStoreError, bucket, name));
			return false;
		}
	};
	const listed = await attempt({ right: "s3:ListBucket", run: () => bucket.list() });
	// Nothing else would work, and each attempt may take seconds.
	if (!listed && problems.length > 0) throw new Error(problems[0]);
	const stored = await attempt({ right: "s3:PutObject", run: () => bucket.put(key, { head: BYTES }, "text/plain") });
	if (stored) {
		await attempt({ right: "s3:GetObject", run: () => bucket.read(key, 1, BYTES.length) });
		await attempt({ right: "multipart uploads", run: () => compose(bucket, composed) });
		await attempt({ right: "s3:AbortMultipartUpload", run: () => beginAndAbort(bucket, composed) });
		await attempt({ right: "s3:DeleteObject", run: () => bucket.remove([key, composed]) });
	}
	if (denied.size > 0) {
		problems.push(
			`The key may not do all that is needed in ${bucket.name}: ${[...denied].join(", ")}. Allow it s3:ListBucket on the bucket and s3:PutObject, s3:GetObject, s3:DeleteObject and s3:AbortMultipartUpload on its objects.`,
		);
	}
	if (unsupported.size > 0) {
		problems.push(
			`The store of ${bucket.name} does not support all that is needed: ${[...unsupported].join(", ")}. Use a store that does, such as Amazon S3, Ceph, Cloudflare R2, Garage or VersityGW.`,
		);
	}
	if (problems.length > 0) throw new Error([...new Set(problems)].join("\n"));
}

async function compose(bucket: Bucket, key: string): Promise<void> {
	const multipartId = await bucket.beginParts(key, "text/plain");
	try {
		const part = await bucket.putPart(key, multipartId, 1, { head: BYTES });
		await bucket.completeParts(key, multipartId, [part]);
	} catch (error) {
		await bucket.abortParts(key, multipartId).catch(() => undefined);
		throw error;
	}
}

async function beginAndAbort(bucket: Bucket, key: string): Promise<void> {
	await bucket.abortParts(key, await bucket.beginParts(key, "text/plain"));
}

/** One sentence on what is wrong, and the remedy. */
function problemOf(error: ObjectStoreError, bucket: Bucket, name: string): string {
	const { bucket: wanted, endpoint, region } = bucket.location;
	const where = endpoint ?? `Amazon S3 in ${region}`;
	switch (error.objectFault) {
		case "missing":
		case "missing_bucket":
			return `There is no bucket ${wanted} at ${where}. Create it, or correct ${name}.`;
		case "wrong_region":
			return error.region === null
				? `The bucket ${wanted} is not in the region ${region}. Name its region in ${name}, such as ?region=eu-central-1.`
				: `The bucket ${wanted} is in the region ${error.region}, not ${region}. Write region=${error.region} in ${name}.`;
		case "credentials":
			return `${where} does not accept the credentials for the bucket ${wanted} (${messageOf(error)}). Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a key of that store.`;
		case "clock":
			return `The clock of this machine differs too much from that of ${where}. Synchronize it, for example with NTP.`;
		case "full":
			return `The store of the bucket ${wanted} is full. Free space there, or raise its quota.`;
		default:
			return `The bucket ${wanted} at ${where} cannot be used (${messageOf(error)}). Check that the store runs, that this machine reaches it, and ${name}.`;
	}
}

const messageOf = (error: ObjectStoreError): string => {
	const cause = error.cause as { name?: string; message?: string; code?: string } | undefined;
	return [cause?.code, cause?.message || cause?.name].filter(Boolean).join(": ").replace(/\.$/, "") || error.what;
};
