/** Requirements of tus 1.0.0 in its core and in the extensions that we offer: a test for each MUST. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { beginUpload, metadata, patch, TUS } from "#test/tus-client.ts";
import { testWithRecorderVideo } from "#test/videos/recorder-video.ts";

const t = testWithRecorderVideo();

const CHUNK = { ...TUS, "content-type": "application/offset+octet-stream" };
const NONE = Buffer.alloc(0);
const call = (method: string, path: string, headers: Record<string, string | number> = TUS, body?: Buffer) =>
	t.call(path, { method, headers, body, as: "key" });
const create = (headers: Record<string, string | number>, body?: Buffer) =>
	call("POST", "/v1/uploads", { ...TUS, ...headers }, body);
const begin = (fields: Record<string, string | number> = { name: "Checkout" }) => beginUpload(t, fields, "key");
const send = (path: string, offset: number, body: Buffer, length?: number) =>
	patch(t, path, offset, body, { as: "key", length });
const offsetOf = async (path: string) => (await call("HEAD", path)).headers["upload-offset"];
const sizeOf = async (path: string) => (await stat(join(t.videosDir, path.split("/").at(-1) ?? "?"))).size;

/** Header values that are no count of bytes. */
const NO_COUNTS = ["-1", "1.5", "1e3", "0x10", " ", "one", "01", "9007199254740993"];

test("core: Upload-Offset MUST be a non-negative integer", async () => {
	const path = await begin();
	for (const offset of NO_COUNTS) {
		expect((await call("PATCH", path, { ...CHUNK, "upload-offset": offset }, Buffer.from("x"))).status).toBe(400);
	}
	expect(await offsetOf(path)).toBe("0");
});

test("core: Upload-Length MUST be a non-negative integer", async () => {
	for (const length of NO_COUNTS) expect((await create({ "upload-length": length })).status).toBe(400);
	expect(await t.files()).toEqual([]);
});

test("core: Tus-Resumable MUST be in every response but those to OPTIONS, with the server's version", async () => {
	const path = await begin();
	const answers = [
		await create({ "upload-length": 5 }),
		await call("HEAD", path),
		await send(path, 0, Buffer.from("x")),
		await send(path, 0, Buffer.from("x")),
		await call("PATCH", path, CHUNK),
		await call("DELETE", path),
		await call("HEAD", path),
	];
	expect(answers.map(({ status }) => status)).toEqual([201, 200, 204, 409, 403, 204, 404]);
	for (const { headers } of answers) expect(headers["tus-resumable"]).toBe("1.0.0");
});

test("core: a request of another version MUST get 412 with Tus-Version, and MUST NOT be processed", async () => {
	const path = await begin();
	for (const version of ["0.2.2", "2.0.0", "1.0.0, 1.0.0", undefined]) {
		const { "tus-resumable": _, ...rest } = CHUNK;
		const headers = version === undefined ? rest : { ...rest, "tus-resumable": version };
		for (const [method, target] of [
			["POST", "/v1/uploads"],
			["PATCH", path],
			["HEAD", path],
			["DELETE", path],
		] as const) {
			const body = method === "PATCH" ? Buffer.from("x") : undefined;
			const answer = await call(method, target, { ...headers, "upload-offset": 0, "upload-length": 5 }, body);
			expect([method, answer.status]).toEqual([method, 412]);
			expect(answer.headers).toMatchObject({ "tus-version": "1.0.0", "tus-resumable": "1.0.0" });
		}
	}
	expect(await offsetOf(path)).toBe("0");
	expect(await t.files()).toHaveLength(2);
});

test("core: the answer to OPTIONS MUST have Tus-Version; Tus-Extension MUST be a list, Tus-Max-Size a count", async () => {
	t.as("key").quotas.uploadBytes = 1_000;
	// Its Tus-Resumable MUST be ignored.
	for (const headers of [{}, TUS, { "tus-resumable": "9.9.9" }] as Record<string, string>[]) {
		const answer = await call("OPTIONS", "/v1/uploads", headers);
		expect([answer.status, answer.body.length]).toEqual([204, 0]);
		expect(answer.headers).toMatchObject({
			"tus-version": "1.0.0",
			"tus-extension": "creation,creation-with-upload,creation-defer-length,termination",
			"tus-max-size": "1000",
		});
	}
	t.as("key").quotas.uploadBytes = 0;
	expect((await call("OPTIONS", "/v1/uploads")).headers["tus-max-size"]).toBeUndefined();
});

test("core: the answer to HEAD MUST have Upload-Offset, even if it is 0 or the upload is complete", async () => {
	const path = await begin();
	expect(await offsetOf(path)).toBe("0");
	await send(path, 0, t.video.subarray(0, 700));
	expect(await offsetOf(path)).toBe("700");
	await send(path, 700, t.video.subarray(700), t.video.length);
	expect(await offsetOf(path)).toBe(String(t.video.length));
});

test("core: the answer to HEAD MUST have Upload-Length if the size is known, and MUST NOT be cached", async () => {
	const { headers } = await create({ "upload-length": 1_234 });
	const answer = await call("HEAD", headers.location ?? "");
	expect([answer.status, answer.body.length]).toEqual([200, 0]);
	expect(answer.headers).toMatchObject({ "upload-length": "1234", "cache-control": "no-store" });
	expect(answer.headers["upload-defer-length"]).toBeUndefined();
});

test("core: without an upload, HEAD has no Upload-Offset, and PATCH and DELETE find nothing", async () => {
	const missing = `/v1/uploads/${"0".repeat(32)}`;
	const head = await call("HEAD", missing);
	expect([head.status, head.headers["upload-offset"]]).toEqual([404, undefined]);
	expect((await send(missing, 0, Buffer.from("x"))).status).toBe(404);
	expect((await call("DELETE", missing)).status).toBe(404);
	expect(await t.files()).toEqual([]);
});

test("core: a PATCH for another offset MUST get 409 and MUST NOT change the upload", async () => {
	const path = await begin();
	await send(path, 0, t.video.subarray(0, 500));
	for (const offset of [0, 499, 501, 10_000]) {
		expect((await send(path, offset, Buffer.from("another"), 20_000)).status).toBe(409);
	}
	const { headers } = await call("HEAD", path);
	expect(headers).toMatchObject({ "upload-offset": "500", "upload-defer-length": "1" });
	expect(await sizeOf(path)).toBe(500);
});

test("core: a PATCH MUST be acknowledged with 204 and Upload-Offset, the sum of the old one and of the bytes received", async () => {
	const path = await begin();
	let offset = 0;
	for (const bytes of [1, 0, 999, 100_000, 3]) {
		const answer = await send(path, offset, Buffer.alloc(bytes, 1));
		offset += bytes;
		expect([answer.status, answer.headers["upload-offset"], answer.body.length]).toEqual([204, String(offset), 0]);
		expect(await sizeOf(path)).toBe(offset);
	}
});

test("core: the body of a PATCH MUST be of the type application/offset+octet-stream", async () => {
	const path = await begin();
	for (const type of ["video/mp4", "application/octet-stream", "application/offset+octet-streams"]) {
		const headers = { ...TUS, "upload-offset": 0, "content-type": type };
		expect((await call("PATCH", path, headers, Buffer.from("x"))).status).toBe(400);
	}
	expect((await call("PATCH", path, { ...TUS, "upload-offset": 0 }, Buffer.from("x"))).status).toBe(403);
	expect(await offsetOf(path)).toBe("0");
});

test("core: an upload MUST NOT get more bytes than its length", async () => {
	const { headers } = await create({ "upload-length": 10 });
	const path = headers.location ?? "";
	expect((await send(path, 0, Buffer.alloc(11))).status).toBe(413);
	expect((await send(path, 0, Buffer.alloc(9))).status).toBe(204);
	// One that does not announce how many come.
	const chunked = { ...CHUNK, "upload-offset": 9, "transfer-encoding": "chunked" };
	expect((await call("PATCH", path, chunked, Buffer.alloc(2))).status).toBe(413);
	expect(await offsetOf(path)).toBe("9");
});

test("creation: a creation MUST be acknowledged with 201 and Location", async () => {
	const answer = await create({ "upload-length": 100 });
	expect([answer.status, answer.body.length]).toEqual([201, 0]);
	expect(answer.headers.location).toMatch(/^\/v1\/uploads\/[0-9a-f]{32}$/);
	expect(answer.headers["upload-offset"]).toBeUndefined();
});

test("creation: a creation MUST have either Upload-Length or Upload-Defer-Length", async () => {
	expect((await create({})).status).toBe(400);
	expect((await create({ "upload-length": 5, "upload-defer-length": 1 })).status).toBe(400);
	expect(await t.files()).toEqual([]);
});

test("creation: a length above Tus-Max-Size MUST get 413, when it is created and when it is declared", async () => {
	t.as("key").quotas.uploadBytes = 1_000;
	expect((await create({ "upload-length": 1_001 })).status).toBe(413);
	expect(await t.files()).toEqual([]);
	const path = await begin();
	expect((await send(path, 0, NONE, 1_001)).status).toBe(413);
	expect((await send(path, 0, Buffer.alloc(1_001))).status).toBe(413);
	expect((await call("HEAD", path)).headers).toMatchObject({ "upload-offset": "0", "upload-defer-length": "1" });
});

test("creation: Upload-Metadata MUST be pairs of a unique key without spaces and commas and a Base64 value", async () => {
	for (const wrong of ["", ",", "a, dGVzdA==", "name !!", "name dGVzdA", "name dGVzdA== x", "a,a", "name  eA=="]) {
		expect([wrong, (await create({ "upload-length": 5, "upload-metadata": wrong })).status]).toEqual([wrong, 400]);
	}
	expect(await t.files()).toEqual([]);
	for (const right of ["name dGVzdA==", "name", "name ,filetype", "__proto__ eA==,toString eA==,name dGVzdA=="]) {
		expect([right, (await create({ "upload-length": 5, "upload-metadata": right })).status]).toEqual([right, 201]);
	}
});

test("creation: the answer to HEAD MUST have the upload's Upload-Metadata", async () => {
	const fields = { name: "Größe ✓", filename: "a.mp4", filetype: "video/mp4" };
	expect((await call("HEAD", await begin(fields))).headers["upload-metadata"]).toBe(metadata(fields));
});

test("creation-defer-length: Upload-Defer-Length MUST be 1", async () => {
	for (const value of ["0", "2", "true", "11"]) {
		expect((await create({ "upload-defer-length": value })).status).toBe(400);
	}
});

test("creation-defer-length: HEAD MUST have Upload-Defer-Length: 1 until the length is declared, which MUST NOT change then", async () => {
	const path = await begin();
	const size = t.video.length;
	expect((await call("HEAD", path)).headers).toMatchObject({ "upload-defer-length": "1" });
	expect((await send(path, 0, t.video.subarray(0, 100), 99)).status).toBe(413);
	expect((await call("HEAD", path)).headers).toMatchObject({ "upload-defer-length": "1" });
	expect((await send(path, 0, t.video.subarray(0, 100), size)).status).toBe(204);
	expect((await send(path, 100, NONE, size + 1)).status).toBe(400);
	expect((await send(path, 100, NONE, size)).status).toBe(400);
	const { headers } = await call("HEAD", path);
	expect(headers).toMatchObject({ "upload-offset": "100", "upload-length": String(size) });
	expect(headers["upload-defer-length"]).toBeUndefined();
	expect((await send(path, 100, t.video.subarray(100))).status).toBe(204);
});

test("creation-defer-length: a length below what is stored is refused", async () => {
	const path = await begin();
	await send(path, 0, t.video.subarray(0, 100));
	expect((await send(path, 100, NONE, 99)).status).toBe(400);
	expect((await call("HEAD", path)).headers).toMatchObject({ "upload-defer-length": "1" });
});

test("creation-with-upload: the answer MUST have Upload-Offset, the number of bytes accepted", async () => {
	const part = await create({ ...CHUNK, "upload-length": t.video.length }, t.video.subarray(0, 800));
	expect([part.status, part.headers["upload-offset"]]).toEqual([201, "800"]);
	const rest = await send(part.headers.location ?? "", 800, t.video.subarray(800));
	expect([rest.status, rest.headers["upload-offset"]]).toEqual([204, String(t.video.length)]);
	const whole = await create({ ...CHUNK, "upload-length": t.video.length }, t.video);
	expect([whole.status, whole.headers["upload-offset"]]).toEqual([201, String(t.video.length)]);
	expect((await t.recordings()).map(({ state }) => state)).toEqual(["ready", "ready"]);
	expect((await create({ ...CHUNK, "upload-length": 5 }, Buffer.alloc(6))).status).toBe(413);
	// Another type is not of the upload.
	const other = await create({ "upload-length": 5, "content-type": "text/plain" }, Buffer.alloc(3));
	expect([other.status, other.headers["upload-offset"], await offsetOf(other.headers.location ?? "")]).toEqual([
		201,
		undefined,
		"0",
	]);
});

test("termination: a DELETE MUST be acknowledged with 204, and the upload is gone", async () => {
	const path = await begin();
	await send(path, 0, t.video.subarray(0, 500));
	const answer = await call("DELETE", path);
	expect([answer.status, answer.body.length]).toEqual([204, 0]);
	expect([await t.files(), await t.recordings()]).toEqual([[], []]);
	expect((await send(path, 500, t.video.subarray(500))).status).toBe(404);
	expect((await call("HEAD", path)).status).toBe(404);
	expect((await call("DELETE", path)).status).toBe(404);
});

test("extensions that are not offered are refused: 501 for concatenation", async () => {
	expect((await create({ "upload-length": 5, "upload-concat": "partial" })).status).toBe(501);
	expect(await t.files()).toEqual([]);
});
