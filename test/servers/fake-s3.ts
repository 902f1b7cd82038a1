/**
 * A small S3 on a real socket, in memory, for faults that a real one does not have on demand. It refuses the same
 * requests as Amazon S3, in the same way: small parts, unknown keys, another region.
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const MIN_PART_BYTES = 5 * 2 ** 20;

/** A fault to produce instead of the answer; undefined for none. */
export type Fault =
	| { status: number; code: string }
	/** The connection breaks in the middle of the answer, or before it if it has no body. */
	| "cut"
	/** No answer, until the fault is over. */
	| "silence";

export interface S3Call {
	method: string;
	/** Without the bucket. */
	key: string;
	/** For example `put`, `get`, `list`, `delete`, `begin`, `part`, `copy`, `complete`, `abort`. */
	kind: string;
	range: string | null;
}

export interface FakeS3 {
	/** The value for `TAPEDECK_STORAGE_URL`. */
	url: string;
	location: { bucket: string; prefix: string; endpoint: string; region: string };
	/** Objects by key, with the prefix. */
	objects: Map<string, Buffer>;
	/** Multipart uploads that are neither completed nor aborted. */
	readonly openParts: number;
	readonly openUploads: { id: string; key: string }[];
	calls: S3Call[];
	/** Decides on a fault for each request. */
	fault: (call: S3Call) => Fault | undefined;
	stop(): Promise<void>;
}

class Refusal extends Error {
	readonly status: number;
	readonly code: string;

	constructor(status: number, code: string) {
		super(code);
		this.status = status;
		this.code = code;
	}
}

const BUCKET = "videos-of-tests";
const KEY_ID = "test";

/** Accepts the credentials of `setFakeCredentials`. */
export async function startFakeS3(options: { region?: string } = {}): Promise<FakeS3> {
	const region = options.region ?? "us-east-1";
	const objects = new Map<string, Buffer>();
	const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
	const silent = new Set<ServerResponse>();
	const fake: FakeS3 = {
		url: "",
		location: { bucket: BUCKET, prefix: "tapedeck/", endpoint: "", region },
		objects,
		calls: [],
		fault: () => undefined,
		get openParts() {
			return uploads.size;
		},
		get openUploads() {
			return [...uploads].map(([id, { key }]) => ({ id, key }));
		},
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	const server = createServer((req, res) => {
		answer(req, res).catch((error) => {
			if (res.headersSent || res.destroyed) return void res.destroy();
			const { status = 500, code = "InternalError" } = error as Partial<Refusal>;
			refuse(req, res, status, code);
		});
	});

	async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
		const url = new URL(req.url ?? "/", "http://fake");
		const [, bucket = "", ...rest] = decodeURIComponent(url.pathname).split("/");
		const call = {
			method: req.method ?? "",
			key: rest.join("/"),
			kind: kindOf(req, url),
			range: req.headers.range ?? null,
		};
		fake.calls.push(call);
		const fault = fake.fault(call);
		if (fault === "silence") {
			silent.add(res);
			return;
		}
		const body = await readAll(req);
		if (fault === "cut" && call.kind !== "get") return void req.socket.destroy();
		if (fault !== undefined && fault !== "cut") throw new Refusal(fault.status, fault.code);
		checkCaller(req, region);
		if (bucket !== BUCKET) throw new Refusal(404, "NoSuchBucket");
		respond(call, url, req, body, res, fault === "cut");
	}

	function respond(call: S3Call, url: URL, req: IncomingMessage, body: Buffer, res: ServerResponse, cut: boolean) {
		const { key } = call;
		const uploadId = url.searchParams.get("uploadId") ?? "";
		switch (call.kind) {
			case "list":
				return xml(
					res,
					listOf([...objects.keys()].filter((each) => each.startsWith(url.searchParams.get("prefix") ?? ""))),
				);
			case "delete":
				for (const [, each = ""] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(each);
				return xml(res, "<DeleteResult></DeleteResult>");
			case "remove":
				objects.delete(key);
				return void res.writeHead(204).end();
			case "put":
				objects.set(key, body);
				return void res.writeHead(200, { etag: etagOf(body) }).end();
			case "get":
				return serve(res, req, found(objects, key), cut);
			case "begin": {
				const id = randomUUID();
				uploads.set(id, { key, parts: new Map() });
				return xml(res, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
			}
			case "part":
				uploadOf(uploadId).parts.set(Number(url.searchParams.get("partNumber")), body);
				return void res.writeHead(200, { etag: etagOf(body) }).end();
			case "copy": {
				const source = decodeURIComponent(String(req.headers["x-amz-copy-source"])).replace(/^\/?[^/]+\//, "");
				const bytes = found(objects, source);
				uploadOf(uploadId).parts.set(Number(url.searchParams.get("partNumber")), bytes);
				return xml(res, `<CopyPartResult><ETag>${etagOf(bytes)}</ETag></CopyPartResult>`);
			}
			case "complete":
				return complete(uploadId, res);
			case "abort":
				uploadOf(uploadId);
				uploads.delete(uploadId);
				return void res.writeHead(204).end();
			default:
				throw new Refusal(501, "NotImplemented");
		}
	}

	function uploadOf(id: string) {
		const upload = uploads.get(id);
		if (upload === undefined) throw new Refusal(404, "NoSuchUpload");
		return upload;
	}

	function complete(id: string, res: ServerResponse): void {
		const { key, parts } = uploadOf(id);
		const bytes = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
		if (bytes.slice(0, -1).some((part) => part.length < MIN_PART_BYTES)) throw new Refusal(400, "EntityTooSmall");
		objects.set(key, Buffer.concat(bytes));
		uploads.delete(id);
		xml(res, `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`);
	}

	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	fake.location.endpoint = endpoint;
	fake.url = `s3://${BUCKET}/tapedeck?endpoint=${endpoint}&region=${region}`;
	return fake;
}

/** Sets the key that the fake knows, for the AWS SDK in this process. */
export function setFakeCredentials(): void {
	Object.assign(process.env, { AWS_ACCESS_KEY_ID: KEY_ID, AWS_SECRET_ACCESS_KEY: "secret of tests" });
}

function kindOf({ method, headers }: IncomingMessage, { searchParams, pathname }: URL): string {
	const isBucket = pathname.split("/").filter((part) => part !== "").length === 1;
	if (method === "GET" && isBucket) return "list";
	if (method === "GET" || method === "HEAD") return "get";
	if (method === "POST" && searchParams.has("delete")) return "delete";
	if (method === "POST" && searchParams.has("uploads")) return "begin";
	if (method === "POST" && searchParams.has("uploadId")) return "complete";
	if (method === "DELETE") return searchParams.has("uploadId") ? "abort" : "remove";
	if (method !== "PUT") return "unknown";
	if (!searchParams.has("partNumber")) return "put";
	return headers["x-amz-copy-source"] === undefined ? "part" : "copy";
}

/** The signature itself is not verified. */
function checkCaller({ headers }: IncomingMessage, region: string): void {
	const [, id, named] = /Credential=([^/]+)\/\d+\/([^/]+)\//.exec(headers.authorization ?? "") ?? [];
	if (id !== KEY_ID) throw new Refusal(403, "InvalidAccessKeyId");
	if (named !== region) throw new Refusal(400, `AuthorizationHeaderMalformed ${region}`);
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
	return Buffer.concat(chunks);
}

function found(objects: Map<string, Buffer>, key: string): Buffer {
	const bytes = objects.get(key);
	if (bytes === undefined) throw new Refusal(404, "NoSuchKey");
	return bytes;
}

function serve(res: ServerResponse, req: IncomingMessage, bytes: Buffer, cut: boolean): void {
	const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? "") ?? [];
	const part = from === undefined ? bytes : bytes.subarray(Number(from), to ? Number(to) + 1 : undefined);
	res.writeHead(from === undefined ? 200 : 206, { "content-length": part.length, etag: etagOf(bytes) });
	if (req.method === "HEAD") return void res.end();
	if (!cut) return void res.end(part);
	res.write(part.subarray(0, part.length >> 1), () => res.destroy());
}

function refuse(req: IncomingMessage, res: ServerResponse, status: number, code: string): void {
	const [name = "", region] = code.split(" ");
	const message = region === undefined ? name : `the region 'x' is wrong; expecting '${region}'`;
	res.writeHead(status, { "content-type": "application/xml" });
	res.end(req.method === "HEAD" ? "" : `<Error><Code>${name}</Code><Message>${message}</Message></Error>`);
}

const xml = (res: ServerResponse, text: string): void =>
	void res.writeHead(200, { "content-type": "application/xml" }).end(`<?xml version="1.0"?>${text}`);

const listOf = (keys: string[]): string =>
	`<ListBucketResult><KeyCount>${keys.length}</KeyCount>${keys
		.map((key) => `<Contents><Key>${key}</Key></Contents>`)
		.join("")}</ListBucketResult>`;

const etagOf = (bytes: Buffer): string => `"${createHash("md5").update(bytes).digest("hex")}"`;
