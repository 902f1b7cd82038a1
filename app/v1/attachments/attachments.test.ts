/** Attachments by API: files of results and test runs, stored like videos and never run as a page. */
import { randomBytes } from "node:crypto";
import { openAsBlob } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Tapedeck } from "@tapedeck/client-source/index.ts";
import type { Attachment } from "@tapedeck/contract/attachment.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { sweepObjects } from "#lib/recordings/store/object-ledger.ts";
import { sweepUploads } from "#lib/recordings/upload/sweep-uploads.ts";
import { deleteOrphans, sweepAttachments } from "#lib/test-results/sweep-attachments.ts";
import { signIn } from "#test/api-people.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { readZip } from "#test/read-zip.ts";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { metadata } from "#test/tus-client.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const DAY_MS = 24 * 3_600_000;
const MB = 1_000_000;

describe.each([
	["SQLite", "disk"],
	["PostgreSQL", "bucket"],
] as const)("on %s, with files in the %s", (database, storage) => {
	let s3: FakeS3;
	let api: TestApi;
	beforeAll(async () => {
		setFakeCredentials();
		s3 = await startFakeS3();
		api = await startTestApi({
			TAPEDECK_LIMIT_ORGANIZATION_GB: "0.05",
			...(storage === "bucket" ? { TAPEDECK_STORAGE_URL: s3.url } : {}),
			...(database === "PostgreSQL" ? { TAPEDECK_DATABASE_URL: await createPostgresDatabase() } : {}),
		});
	});
	afterAll(async () => {
		await api.stop();
		await s3.stop();
		await removeTestFolder();
	});

	const system = () => contextFor(api.app, { kind: "system", organizationId: 0 });
	async function newRun(): Promise<number> {
		return (await api.call("POST", "/v1/test-runs", { body: {} })).body.id;
	}
	async function newResult(runId: number, key = "a"): Promise<number> {
		const body = [{ key, test: `Test ${key}`, outcome: "failed", message: "Error: no total" }];
		return (await api.call("POST", `/v1/test-runs/${runId}/tests`, { body })).body.data[0].id;
	}
	const attach = (path: string, name: string, raw: string | Uint8Array, type = "text/plain") =>
		api.call("POST", `${path}/attachments?name=${encodeURIComponent(name)}`, {
			raw,
			headers: { "content-type": type },
		});
	async function attached(path: string, name: string, raw: string | Uint8Array, type?: string): Promise<Attachment> {
		const { status, body } = await attach(path, name, raw, type);
		expect(status, JSON.stringify(body)).toBe(201);
		return body;
	}
	const content = (id: number, headers: Record<string, string> = {}, query = "") =>
		fetch(`${api.url}/v1/attachments/${id}${query}`, {
			headers: { authorization: `Bearer ${TEST_API_KEY}`, ...headers },
		});
	/** The stored files of attachments, and what is left of files that are not stored. */
	async function storedFiles(): Promise<string[]> {
		if (storage === "bucket") await sweepObjects(system(), api.app.bucket as never, new AbortController().signal);
		const onDisk = await readdir(join(api.dataDir, "videos"));
		return [...onDisk, ...[...s3.objects.keys()].map((key) => key.split("/").at(-1) as string)];
	}
	async function usedBytes(): Promise<number> {
		const use = await api.app.db.selectFrom("organizationUse").select("bytes").executeTakeFirst();
		return Number(use?.bytes ?? 0);
	}

	test("attachments of a result and of its run are listed with it, counted, and served in parts", async () => {
		const runId = await newRun();
		const resultId = await newResult(runId);
		const before = await usedBytes();
		const png = Buffer.alloc(70_000, 7);
		png.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x05\0\0\0\x02\xd0", "latin1");
		const image = await attached(`/v1/tests/${resultId}`, "home-actual.png", png, "image/png; charset=binary");
		const log = await attached(`/v1/test-runs/${runId}`, "output.txt", "line 1\n");
		expect(image).toEqual({
			...{ id: image.id, name: "home-actual.png", contentType: "image/png", bytes: png.length },
			...{ width: 1_280, height: 720 },
			url: `${api.app.baseUrl}/v1/attachments/${image.id}`,
		});
		const result = (await api.call("GET", `/v1/tests/${resultId}`)).body;
		expect(result).toMatchObject({ attachmentCount: 1, attachments: [image] });
		const [listed] = (await api.call("GET", `/v1/tests?testRunId=${runId}`)).body.data;
		expect(listed.attachmentCount).toBe(1);
		expect(listed.attachments).toBeUndefined();
		const run = (await api.call("GET", `/v1/test-runs/${runId}`)).body;
		expect(run).toMatchObject({ attachmentCount: 1, attachments: [log] });
		expect((await usedBytes()) - before).toBe(png.length + log.bytes);

		const whole = await content(image.id);
		expect(Buffer.from(await whole.arrayBuffer()).equals(png)).toBe(true);
		expect(Object.fromEntries(whole.headers)).toMatchObject({
			"content-type": "image/png",
			"content-disposition": "inline; filename=\"home-actual.png\"; filename*=UTF-8''home-actual.png",
			"content-security-policy": "default-src 'none'; sandbox",
			"x-content-type-options": "nosniff",
		});
		const part = await content(image.id, { range: "bytes=69000-69999" });
		expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 1_000]);
		expect((await content(image.id, { range: "bytes=99999-" })).status).toBe(416);
		expect((await content(image.id, { "if-none-match": whole.headers.get("etag") ?? "" })).status).toBe(304);
	});

	test("a signed URL lets any page read its attachment until it expires, and a second one opens a trace in the viewer", async () => {
		api.app.traceViewer = "http://viewer.example";
		const path = `/v1/test-runs/${await newRun()}`;
		const trace = await attached(path, "trace.zip", "PK not a real one", "application/zip");
		const other = await attached(path, "output.txt", "line 1\n");
		const sign = async (id: number, query = "") => (await api.call("GET", `/v1/attachments/${id}/url${query}`)).body;
		const signed = await sign(trace.id);
		const here = (url: string) => url.replace(api.app.baseUrl, api.url);
		expect(signed.viewerUrl).toBe(`http://viewer.example/?trace=${encodeURIComponent(signed.url)}`);
		expect((await sign(other.id)).viewerUrl).toBeNull();
		const read = await fetch(here(signed.url), { headers: { origin: "http://viewer.example" } });
		expect([read.status, await read.text()]).toEqual([200, "PK not a real one"]);
		expect(read.headers.get("access-control-allow-origin")).toBe("*");
		expect(read.headers.get("access-control-allow-credentials")).toBeNull();
		const foreign = here(signed.url).replace(`/${trace.id}?`, `/${other.id}?`);
		for (const url of [foreign, here(signed.url).replace(/expires=\d+/, "expires=4000000000"), here(trace.url)])
			expect((await fetch(url)).status).toBe(401);
		expect((await content(trace.id)).headers.get("access-control-allow-origin")).toBeNull();
		const { clock } = api.app;
		const { now } = clock;
		clock.now = () => now() + 3_601_000;
		const late = await fetch(here(signed.url));
		clock.now = now;
		expect([late.status, (await late.json()).detail]).toEqual([401, expect.stringContaining("expired")]);
		for (const seconds of ["0", "3601", "x"]) {
			const { status } = await api.call("GET", `/v1/attachments/${trace.id}/url?expiresInSeconds=${seconds}`);
			expect(status).toBe(422);
		}
		await api.call("DELETE", `/v1/attachments/${trace.id}`);
		expect((await fetch(here(signed.url))).status).toBe(404);
	});

	test("the zip of a recording has the attachments of its tests, and names those whose file is missing", async () => {
		const resultId = await newResult(await newRun());
		const headers = { "content-type": "video/webm" };
		const raw = await readFile(await makeVideo("vp8.webm"));
		const path = `/v1/recordings?name=Pay&testResultId=${resultId}`;
		const recording = (await api.call("POST", path, { raw, headers })).body;
		const log = await attached(`/v1/tests/${resultId}`, "con:sole.txt", "the bank is closed");
		const empty = await attached(`/v1/tests/${resultId}`, "empty.txt", "");
		await attached(`/v1/tests/${await newResult(await newRun())}`, "other.txt", "of another recording");
		const folder = `Pay_${recording.createdAt.slice(0, 10)}_${recording.id}`;
		const zipped = async () => {
			const answer = await fetch(`${api.url}/v1/recordings/download?id=${recording.id}`, {
				headers: { authorization: `Bearer ${TEST_API_KEY}` },
			});
			const files = await readZip(Buffer.from(await answer.arrayBuffer()));
			return Object.fromEntries(files.map(({ name, content }) => [name, content.toString("latin1")]));
		};
		expect(await zipped()).toEqual({
			[`${folder}.webm`]: raw.toString("latin1"),
			[`${folder}.attachments/${log.id}-con_sole.txt`]: "the bank is closed",
			[`${folder}.attachments/${empty.id}-empty.txt`]: "",
		});
		if (storage === "bucket") return;
		const { uploadId } = await api.app.db
			.selectFrom("attachment")
			.select("uploadId")
			.where("id", "=", log.id)
			.executeTakeFirstOrThrow();
		await rm(join(api.dataDir, "videos", uploadId));
		const files = await zipped();
		expect(Object.keys(files)).toHaveLength(3);
		expect(files["Left out.txt"]).toContain(`The file of attachment ${log.id} (con:sole.txt) is missing.`);
	});

	test("a page, a drawing and a script are sent as downloads, and text only as text", async () => {
		const path = `/v1/test-runs/${await newRun()}`;
		const script = "<script>alert(document.cookie)</script>";
		for (const [name, type, served, shown] of [
			["evil.html", "text/html", "application/octet-stream", "attachment"],
			["evil.svg", "image/svg+xml", "application/octet-stream", "attachment"],
			["evil.js", "text/javascript", "application/octet-stream", "attachment"],
			["evil.xml", "application/xml", "application/octet-stream", "attachment"],
			["page", "no media type", "application/octet-stream", "attachment"],
			["trace.zip", "application/zip", "application/octet-stream", "attachment"],
			["data.json", "application/json", "text/plain; charset=utf-8", "inline"],
			["evil.txt", "text/plain", "text/plain; charset=utf-8", "inline"],
		] as const) {
			const { id } = await attached(path, name, script, type);
			const { headers } = await content(id);
			expect([name, headers.get("content-type"), headers.get("content-disposition")?.split(";")[0]]).toEqual([
				...[name, served, shown],
			]);
			expect(headers.get("x-content-type-options")).toBe("nosniff");
			expect((await content(id, {}, "?download=1")).headers.get("content-disposition")).toMatch(/^attachment/);
		}
	});

	test("an archive that is a bomb, and no trace, is stored as it is: nothing unpacks it", async () => {
		const before = await usedBytes();
		// Unpacked, it is more than the organization may store.
		const bomb = gzipSync(Buffer.alloc(60 * MB));
		const { id, bytes } = await attached(`/v1/test-runs/${await newRun()}`, "trace.zip", bomb, "application/zip");
		expect([bytes, (await usedBytes()) - before]).toEqual([bomb.length, bomb.length]);
		expect((await api.call("GET", `/v1/attachments/${id}/url`)).status).toBe(200);
		expect(Buffer.from(await (await content(id)).arrayBuffer()).equals(bomb)).toBe(true);
	});

	test.each([
		["../../etc/passwd", "passwd"],
		["C:\\shots\\a b.png", "a b.png"],
		["log\u0000\r\n.txt", "log   .txt"],
	])("the name %j becomes %j", async (name, cleaned) => {
		expect((await attached(`/v1/test-runs/${await newRun()}`, name, "x")).name).toBe(cleaned);
	});

	test.each(["", "..", "a/", "\u0007", "x".repeat(1_001)])("the name %j is refused", async (name) => {
		const { status, body } = await attach(`/v1/test-runs/${await newRun()}`, name, "x");
		expect([status, body.errors?.[0]?.path]).toEqual([422, "name"]);
	});

	test("the client sends text, bytes and a file, and reads them back", async () => {
		const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
		const run = await client.testRuns.create();
		const [result] = await client.testRuns.addTests(run.id, [{ key: "a", test: "A", outcome: "passed" }]);
		const resultId = (result as { id: number }).id;
		const path = join(api.dataDir, "trace.zip");
		await writeFile(path, "PK zipped");
		const log = await client.testRuns.addAttachment(run.id, { name: "output.txt", content: "é\n" });
		const bytes = await client.tests.addAttachment(resultId, { name: "a.bin", content: Buffer.from("abc") });
		const file = { name: "trace.zip", content: await openAsBlob(path), contentType: "application/zip" };
		const trace = await client.tests.addAttachment(resultId, file);
		expect([log, bytes, trace].map(({ contentType, bytes }) => [contentType, bytes])).toEqual([
			["text/plain", 3],
			["application/octet-stream", 3],
			["application/zip", 9],
		]);
		expect(await (await content(trace.id)).text()).toBe("PK zipped");
		await client.tests.deleteAttachment(bytes.id);
		expect((await client.tests.get(resultId)).attachments).toEqual([trace]);
		expect((await client.testRuns.get(run.id)).attachments).toEqual([log]);
	});

	test("the same file under the same name is stored once, and an empty one is stored, too", async () => {
		const path = `/v1/test-runs/${await newRun()}`;
		const before = (await storedFiles()).length;
		const first = await attached(path, "a.txt", "same");
		expect(await attached(path, "a.txt", "same")).toEqual(first);
		expect((await attached(path, "b.txt", "same")).id).not.toBe(first.id);
		const empty = await attached(path, "stderr.txt", "");
		expect(empty.bytes).toBe(0);
		expect(await (await content(empty.id)).text()).toBe("");
		expect((await storedFiles()).length - before).toBe(3);
	});

	test("a result has at most 20 attachments, and a file that is sent again is not one more", async () => {
		const path = `/v1/tests/${await newResult(await newRun())}`;
		for (let index = 0; index < 20; index += 1) await attached(path, `${index}.txt`, String(index));
		await attached(path, "3.txt", "3");
		const { status, body } = await attach(path, "20.txt", "x");
		expect([status, body.code]).toEqual([409, "conflict"]);
		expect(body.detail).toContain("20 attachments");
	});

	/** Announces more bytes than it sends. @param thenBreaks off, instead of waiting. @returns the status, if there is an answer. */
	const sendPart = (path: string, announced: number, sent: number, thenBreaks: boolean) =>
		new Promise<number | null>((resolve) => {
			const call = request(`${api.url}${path}/attachments?name=part.bin`, {
				method: "POST",
				headers: { authorization: `Bearer ${TEST_API_KEY}`, "content-length": announced },
			});
			call.on("response", (answer) => {
				answer.resume().on("error", () => undefined);
				resolve(answer.statusCode ?? null);
			});
			call.on("error", () => resolve(null));
			call.write(Buffer.alloc(sent), () => {
				if (thenBreaks) call.destroy();
			});
		});

	test("an upload that stops in the middle leaves nothing, and so does one that is too large or does not fit", async () => {
		const runId = await newRun();
		const before = { files: (await storedFiles()).sort(), used: await usedBytes() };
		expect(await sendPart(`/v1/test-runs/${runId}`, 2 * MB, MB, true)).toBeNull();
		const tooLarge = await fetch(`${api.url}/v1/test-runs/${runId}/attachments?name=big`, {
			method: "POST",
			headers: { authorization: `Bearer ${TEST_API_KEY}` },
			body: Buffer.alloc(51 * MB),
		});
		expect([tooLarge.status, (await tooLarge.json()).code]).toEqual([507, "quota_exceeded"]);
		expect(await sendPart(`/v1/test-runs/${runId}`, 1_000 * MB, 1, false)).toBe(413);
		await expect.poll(async () => ({ files: (await storedFiles()).sort(), used: await usedBytes() })).toEqual(before);
		await expect.poll(() => api.app.db.selectFrom("heldRoom").selectAll().execute()).toEqual([]);
		expect((await api.call("GET", `/v1/test-runs/${runId}`)).body.attachments).toEqual([]);
	});

	const TUS = { "tus-resumable": "1.0.0" };
	/** Begins an upload by tus. */
	const begin = (fields: Record<string, string | number>, bytes: number | null, options: { token?: string } = {}) =>
		api.call("POST", "/v1/uploads", {
			...options,
			headers: {
				...TUS,
				...(bytes === null ? { "upload-defer-length": "1" } : { "upload-length": String(bytes) }),
				"upload-metadata": metadata(fields),
			},
		});
	const append = (path: string, offset: number, raw: Uint8Array) =>
		api.call("PATCH", path, {
			raw,
			headers: { ...TUS, "content-type": "application/offset+octet-stream", "upload-offset": String(offset) },
		});
	const head = (path: string) => api.call("HEAD", path, { headers: TUS });

	test("a large file is sent by tus, continues after its connection broke, and becomes an attachment with its last byte", async () => {
		const runId = await newRun();
		const resultId = await newResult(runId);
		const recordings = async () => (await api.call("GET", "/v1/recordings")).body.data.length;
		const before = { used: await usedBytes(), recordings: await recordings() };
		const trace = randomBytes(2 * MB);
		const fields = { testResultId: resultId, name: "../trace.zip", filetype: "application/zip" };
		const created = await begin(fields, trace.length);
		expect(created.status, created.body).toBe(201);
		const path = created.headers.get("location") ?? "";
		const broken = request(`${api.url}${path}`, {
			method: "PATCH",
			headers: {
				...TUS,
				authorization: `Bearer ${TEST_API_KEY}`,
				"content-type": "application/offset+octet-stream",
				"content-length": trace.length,
				"upload-offset": 0,
			},
		});
		broken.on("error", () => undefined);
		broken.write(trace.subarray(0, MB));
		await expect.poll(async () => (await head(path)).headers.get("upload-offset")).not.toBe("0");
		broken.destroy();
		expect((await api.call("GET", `/v1/tests/${resultId}`)).body.attachments).toEqual([]);
		const offset = Number((await head(path)).headers.get("upload-offset"));
		expect(offset).toBeLessThan(trace.length);
		const last = await append(path, offset, trace.subarray(offset));
		expect(last.status, last.body).toBe(204);
		const id = Number(last.headers.get("tapedeck-attachment"));
		const attachment = { id, name: "trace.zip", contentType: "application/zip", bytes: trace.length };
		expect((await api.call("GET", `/v1/tests/${resultId}`)).body.attachments).toMatchObject([attachment]);
		expect(Buffer.from(await (await content(id)).arrayBuffer()).equals(trace)).toBe(true);
		// A client that has lost the last answer learns it.
		const known = await head(path);
		expect([known.status, known.headers.get("upload-offset")]).toEqual([200, String(trace.length)]);
		expect(known.headers.get("tapedeck-attachment")).toBe(String(id));
		expect((await usedBytes()) - before.used).toBe(trace.length);
		expect(await api.app.db.selectFrom("heldRoom").selectAll().execute()).toEqual([]);
		expect(await recordings()).toBe(before.recordings);
		const later = { ...system(), clock: { now: () => Date.now() + 3 * DAY_MS } };
		await sweepUploads(later);
		expect((await content(id)).status).toBe(200);
		await api.call("DELETE", `/v1/test-runs/${runId}`);
		await deleteOrphans(system());
		expect((await head(path)).status).toBe(404);
	});

	test("the client sends large files by tus, and a broken connection costs only what had not arrived", async () => {
		let patches = 0;
		/** Breaks the first piece when some of it has arrived, and loses the answer to the last one. */
		const flaky: typeof fetch = async (input, init) => {
			if (init?.method !== "PATCH") return fetch(input, init);
			patches += 1;
			if (patches === 1) {
				const path = new URL(String(input)).pathname;
				await append(path, 0, new Uint8Array(await (init.body as Blob).slice(0, 3 * MB).arrayBuffer()));
				throw new TypeError("terminated");
			}
			await (await fetch(input, init)).arrayBuffer();
			throw new TypeError("terminated");
		};
		const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY, fetch: flaky });
		const run = await client.testRuns.create();
		const [result] = await client.testRuns.addTests(run.id, [{ key: "a", test: "A", outcome: "failed" }]);
		const resultId = (result as { id: number }).id;
		const trace = randomBytes(6 * MB);
		const file = { name: "trace.zip", content: new Blob([trace]), contentType: "application/zip" };
		const attachment = await client.tests.addAttachment(resultId, file);
		expect(patches).toBe(2);
		expect((await client.tests.get(resultId)).attachments).toMatchObject([
			{ id: attachment.id, name: "trace.zip", contentType: "application/zip", bytes: 6 * MB },
		]);
		expect(Buffer.from(await (await content(attachment.id)).arrayBuffer()).equals(trace)).toBe(true);
		const plain = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
		const refused = plain.tests.addAttachment(999_999_999, file);
		await expect(refused).rejects.toMatchObject({
			status: 404,
			code: "not_found",
			detail: expect.stringMatching(/result/),
		});
		const video = new Blob([trace], { type: "video/webm" });
		await expect(plain.recordings.upload(video, { name: "x", testResultId: resultId })).rejects.toMatchObject({
			status: 422,
			detail: "Not a playable MP4 or WebM. The file wasn't saved.",
		});
	});

	test("by tus, a file that is known already is not stored again, and one whose run was deleted meanwhile leaves nothing", async () => {
		const path = `/v1/test-runs/${await newRun()}`;
		const testRunId = Number(path.split("/").at(-1));
		const first = await attached(path, "video.webm", "same bytes", "video/webm");
		const whole = async () => (await storedFiles()).filter((name) => !name.endsWith(".part")).sort();
		const before = { files: await whole(), used: await usedBytes() };
		const send = async (raw: Buffer, meanwhile = async () => undefined as unknown) => {
			const { headers } = await begin({ testRunId, name: "video.webm", filetype: "video/webm" }, raw.length);
			await meanwhile();
			return append(headers.get("location") ?? "", 0, raw);
		};
		const again = await send(Buffer.from("same bytes"));
		expect([again.status, again.headers.get("tapedeck-attachment")]).toEqual([204, String(first.id)]);
		expect({ files: await whole(), used: await usedBytes() }).toEqual(before);
		const late = await send(Buffer.from("other bytes"), () => api.call("DELETE", path));
		expect(late.status).toBe(404);
		await deleteOrphans(system());
		expect((await whole()).length).toBeLessThan(before.files.length);
		expect(await api.app.db.selectFrom("heldRoom").selectAll().execute()).toEqual([]);
	});

	test("by tus, an attachment that no result can have is refused before it is sent, with the reason", async () => {
		const runId = await newRun();
		const full = await newResult(runId);
		for (let index = 0; index < 20; index += 1) await attached(`/v1/tests/${full}`, `${index}.txt`, String(index));
		const testResultId = await newResult(runId, "b");
		const type = { filetype: "application/zip" };
		for (const [fields, bytes, status, why] of [
			[{ testResultId, name: "a.zip", ...type }, 256 * 2 ** 20 + 1, 413, "at most 256 MiB"],
			[{ testResultId, name: "a.zip", ...type }, 51 * MB, 507, "quota"],
			[{ testResultId, name: "a.zip", ...type }, null, 400, "Upload-Length"],
			[{ testResultId, name: "..", ...type }, 10, 422, "name in Upload-Metadata"],
			[{ testResultId: 999_999_999, name: "a.zip", ...type }, 10, 404, "test result"],
			[{ testResultId: "x", name: "a.zip", ...type }, 10, 422, "testResultId"],
			[{ testResultId, testRunId: runId, name: "a.zip", ...type }, 10, 422, "either"],
			[{ name: "a.webm", as: "attachment" }, 10, 422, "testRunId"],
			[{ testResultId, name: "a.webm", as: "video" }, 10, 422, "attachment"],
		] as const) {
			const answer = await begin(fields, bytes);
			expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(why)]);
		}
		// One more than are allowed may be a repeated call, and is refused at its end.
		const { headers } = await begin({ testResultId: full, name: "21.zip", ...type }, 2);
		const answer = await append(headers.get("location") ?? "", 0, Buffer.from("PK"));
		expect([answer.status, answer.body]).toEqual([409, expect.stringContaining("20 attachments")]);
		expect((await head(headers.get("location") ?? "")).status).toBe(404);
		const owner = await signIn(api);
		const { body: key } = await owner.call("POST", "/v1/api-keys", {
			body: { name: "videos", scopes: ["recordings:write"] },
		});
		const refused = await begin({ testResultId, name: "a.zip", ...type }, 10, { token: key.secret });
		expect([refused.status, refused.body]).toEqual([403, expect.stringContaining("jobs:write")]);
	});

	test("deleting an attachment, or the run with its results, deletes the files", async () => {
		// On a busy machine, the upload that another test has broken off may still have a part.
		const whole = async () => (await storedFiles()).filter((name) => !name.endsWith(".part")).sort();
		const before = { files: await whole(), used: await usedBytes() };
		const runId = await newRun();
		const resultId = await newResult(runId);
		const one = await attached(`/v1/tests/${resultId}`, "one.txt", "1");
		const two = await attached(`/v1/tests/${resultId}`, "two.txt", "2");
		const ofRun = await attached(`/v1/test-runs/${runId}`, "run.txt", "3");
		expect((await api.call("DELETE", `/v1/attachments/${one.id}`)).status).toBe(204);
		expect((await api.call("DELETE", `/v1/attachments/${one.id}`)).status).toBe(404);
		expect((await content(one.id)).status).toBe(404);
		expect((await api.call("GET", `/v1/tests/${resultId}`)).body.attachments).toEqual([two]);
		expect((await api.call("DELETE", `/v1/test-runs/${runId}`)).status).toBe(204);
		// At once, although their files go with the next sweep.
		expect([(await content(two.id)).status, (await content(ofRun.id)).status]).toEqual([404, 404]);
		await deleteOrphans(system());
		expect({ files: await whole(), used: await usedBytes() }).toEqual(before);
	});

	test("attachments are kept for as long as recordings, and the sweep of uploads leaves them alone", async () => {
		const runId = await newRun();
		const kept = await attached(`/v1/test-runs/${runId}`, "kept.txt", "kept");
		const later = (days: number) => ({ ...system(), clock: { now: () => Date.now() + days * DAY_MS } });
		await sweepUploads(later(3));
		expect(await (await content(kept.id)).text()).toBe("kept");
		const policy = { maxAgeDays: 30, maxDiskPercent: null, maxBytes: null };
		expect((await api.call("PUT", "/v1/retention", { body: policy })).status).toBe(200);
		await sweepAttachments(later(29), new AbortController().signal);
		expect((await content(kept.id)).status).toBe(200);
		await sweepAttachments(later(31), new AbortController().signal);
		expect((await content(kept.id)).status).toBe(404);
	});

	test("beyond the limit on bytes, the oldest attachments are deleted until the rest fits", async () => {
		const path = `/v1/test-runs/${await newRun()}`;
		const [oldest, old, young] = [
			await attached(path, "oldest.txt", "1234567890"),
			await attached(path, "old.txt", "1234567890"),
			await attached(path, "young.txt", "1234567890"),
		];
		for (const [at, { id }] of [oldest, old].entries())
			await api.app.db
				.updateTable("attachment")
				.set({ createdAt: at + 1 })
				.where("id", "=", id)
				.execute();
		const policy = { maxAgeDays: null, maxDiskPercent: null, maxBytes: (await usedBytes()) - 5 };
		expect((await api.call("PUT", "/v1/retention", { body: policy })).status).toBe(200);
		await sweepAttachments(system(), new AbortController().signal);
		const statuses = await Promise.all([oldest, old, young].map(async ({ id }) => (await content(id)).status));
		await api.call("PUT", "/v1/retention", { body: { ...policy, maxBytes: null } });
		expect(statuses).toEqual([404, 200, 200]);
	});

	test("attachments of another organization are not found, and none can be added to its results", async () => {
		const runId = await newRun();
		const resultId = await newResult(runId);
		const { id } = await attached(`/v1/tests/${resultId}`, "secret.txt", "secret");
		const owner = await signIn(api);
		const { body: other } = await owner.call("POST", "/v1/organizations", { body: { name: "Strangers" } });
		const as = (method: string, path: string) =>
			owner.call(method, `${path}${path.includes("?") ? "&" : "?"}organizationId=${other.id}`, {
				...(method === "POST" ? { raw: "x" } : {}),
			});
		const statuses = [
			await as("GET", `/v1/attachments/${id}`),
			await as("DELETE", `/v1/attachments/${id}`),
			await as("POST", `/v1/tests/${resultId}/attachments?name=x`),
			await as("POST", `/v1/test-runs/${runId}/attachments?name=x`),
		].map(({ status }) => status);
		expect(statuses).toEqual([404, 404, 404, 404]);
	});
});
