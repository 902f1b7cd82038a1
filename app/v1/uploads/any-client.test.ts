/** Uploads as strangers' programs send them, by POST and by tus: one rule for both. */

import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "#test/api-people.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { variants } from "#test/in-explore.ts";
import { metadata } from "#test/tus-client.ts";
import { makeVideo, removeTestFolder, testFolder } from "#test/videos/make-video.ts";

let api: TestApi;
let mp4: Buffer;
let webm: Buffer;
beforeAll(async () => {
	api = await startTestApi();
	mp4 = await readFile(await makeVideo("plain.mp4", 2));
	webm = await readFile(await makeVideo("vp8.webm", 2));
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
});

const TUS = { "tus-resumable": "1.0.0" };
const CHUNK = { ...TUS, "upload-offset": "0", "content-type": "application/offset+octet-stream" };

/** The outcome of an upload: its status, and why it was refused or which recording it became. */
type Sent = { status: number; detail: string | null; id: number | null };

/** `undefined` sends no type at all, which fetch cannot. */
async function post(file: Buffer, type: string | undefined, query = ""): Promise<Sent> {
	const { promise, resolve, reject } = Promise.withResolvers<Sent>();
	const headers = { authorization: `Bearer ${TEST_API_KEY}`, ...(type === undefined ? {} : { "content-type": type }) };
	const call = request(`${api.url}/v1/recordings?name=Posted${query}`, { method: "POST", headers }, async (answer) => {
		const body = JSON.parse(Buffer.concat(await answer.toArray()).toString());
		resolve({ status: answer.statusCode ?? 0, detail: body.detail ?? null, id: body.detail ? null : body.id });
	});
	call.on("error", reject).end(file);
	return promise;
}

async function tus(file: Buffer, fields: Record<string, string>): Promise<Sent> {
	const described: Record<string, string> =
		Object.keys(fields).length === 0 ? {} : { "upload-metadata": metadata(fields) };
	const headers = { ...TUS, "upload-length": String(file.length), ...described };
	const created = await api.call("POST", "/v1/uploads", { headers });
	if (created.status !== 201) return { status: created.status, detail: created.body.trim(), id: null };
	const sent = await api.call("PATCH", created.headers.get("location") ?? "", { headers: CHUNK, raw: file });
	if (sent.status !== 204) return { status: sent.status, detail: sent.body.trim(), id: null };
	return { status: 201, detail: null, id: Number(sent.headers.get("tapedeck-recording")) };
}

const recording = async ({ id }: Sent) => (await api.call("GET", `/v1/recordings/${id}`)).body;

describe("by POST and by tus", () => {
	const TYPES: [type: string | undefined][] = [
		["video/mp4"],
		["Video/MP4"],
		["video/webm;codecs=vp8,opus"],
		['VIDEO/WEBM; codecs="vp9"'],
		["application/octet-stream"],
		["Application/Octet-Stream; charset=binary"],
		[""],
		[undefined],
	];
	const LANDING = ["Video/MP4", "video/webm;codecs=vp8,opus", undefined];
	test.each(
		variants(TYPES, ([type]) => LANDING.includes(type)),
	)("a video of the type %j is taken for what it is", async (type) => {
		for (const [file, contentType] of [
			[mp4, "video/mp4"],
			[webm, "video/webm"],
		] as const) {
			const results = [await post(file, type), await tus(file, type === undefined ? {} : { filetype: type })];
			for (const sent of results) {
				expect(sent).toMatchObject({ status: 201, detail: null });
				expect(await recording(sent)).toMatchObject({ contentType, state: "ready" });
			}
		}
	});

	test.each([
		"text/html",
		"image/png",
		"video/quicktime2",
		"video",
		"video/mp4x",
		"multipart/form-data; boundary=x",
	])("%s is refused with the types that are not", async (type) => {
		const detail = (field: string) =>
			`Send ${field} as video/mp4, video/webm or application/octet-stream, or leave it out.`;
		expect(await post(mp4, type)).toEqual({ status: 415, detail: detail("Content-Type"), id: null });
		expect(await tus(mp4, { filetype: type })).toEqual({ status: 415, detail: detail("filetype"), id: null });
	});

	test("Matroska and other formats are refused by their names, whatever their type claims", async () => {
		const path = join(await testFolder(), "other.avi");
		const input = ["-f", "lavfi", "-t", "1", "-i", "testsrc2=size=160x120:rate=15"];
		await promisify(execFile)("ffmpeg", ["-v", "error", "-y", ...input, path]);
		for (const [file, type, name] of [
			[await readFile(await makeVideo("matroska.mkv", 1)), "video/webm", "Matroska (.mkv)"],
			[await readFile(await makeVideo("matroska.mkv", 1)), "application/octet-stream", "Matroska (.mkv)"],
			[await readFile(path), "video/mp4", "AVI (.avi)"],
		] as const) {
			const refused = { status: 422, detail: `${name} isn't supported; send MP4 or WebM.`, id: null };
			expect(await post(file, type)).toEqual(refused);
			expect(await tus(file, { filetype: type })).toEqual(refused);
		}
		const byType = { status: 415, detail: "Matroska (.mkv) isn't supported; send MP4 or WebM.", id: null };
		expect(await post(mp4, "video/x-matroska;codecs=avc1")).toEqual(byType);
		expect(await tus(mp4, { filetype: "video/x-matroska" })).toEqual(byType);
		await rm(path);
	});

	const labels = { test: "Checkout › pays", build: "nightly 7", branch: "main" };
	const query = Object.entries(labels)
		.map((label) => `&label=${encodeURIComponent(label.join("="))}`)
		.join("");
	const resultsOf = async ({ id }: Sent) => (await api.call("GET", `/v1/tests?recordingId=${id}`)).body.data;

	test("labels, outcome and keep policy are the recording's, which is found by them, and a result of its test", async () => {
		const fields = { name: "Posted", labels: JSON.stringify(labels), outcome: "failed", keep: "failed" };
		for (const sent of [await post(mp4, "", `${query}&outcome=failed&keep=failed`), await tus(mp4, fields)]) {
			expect(sent).toMatchObject({ status: 201 });
			expect(await recording(sent)).toMatchObject({ labels, outcome: "failed", keep: "failed", deleteAt: null });
			const found = await api.call("GET", `/v1/recordings?q=${encodeURIComponent('build:"nightly 7"')}`);
			expect(found.body.data.map(({ id }: Sent) => id)).toContain(sent.id);
			expect(await resultsOf(sent)).toMatchObject([
				{ test: labels.test, outcome: "failed", jobId: null, recordingId: sent.id, attempt: 1, labels },
			]);
			const body = { outcome: "passed" };
			expect((await api.call("PATCH", `/v1/recordings/${sent.id}`, { body })).body.deleteAt).not.toBeNull();
			expect(await resultsOf(sent)).toMatchObject([{ outcome: "passed" }]);
		}
	});

	test("a video of a test that passed is deleted after a while if it says so, counted from when it is whole", async () => {
		const fields = { labels: JSON.stringify(labels), outcome: "passed", keep: "failed" };
		for (const send of [() => post(mp4, "", `${query}&outcome=passed&keep=failed`), () => tus(mp4, fields)]) {
			const before = Date.now();
			const { deleteAt } = await recording(await send());
			const { graceSeconds } = (await api.call("GET", "/v1/recording-settings")).body;
			expect(Date.parse(deleteAt)).toBeGreaterThanOrEqual(before + graceSeconds * 1_000);
		}
	});

	test("the organization's settings apply to everything that a video leaves out, and without an outcome it is no test result", async () => {
		const settings = (await api.call("GET", "/v1/recording-settings")).body;
		const put = (keep: string) => api.call("PUT", "/v1/recording-settings", { body: { ...settings, keep } });
		expect((await put("failed")).status).toBe(200);
		for (const sent of [await post(mp4, "", query), await tus(mp4, { labels: JSON.stringify(labels) })]) {
			expect(await recording(sent)).toMatchObject({ labels, outcome: null, keep: "failed", deleteAt: null });
			expect(await resultsOf(sent)).toEqual([]);
		}
		expect((await put(settings.keep)).status).toBe(200);
	});

	test("a video that states no length has one, takes markers and has frames", async () => {
		const path = join(await testFolder(), "live.webm");
		const input = ["-f", "lavfi", "-t", "4", "-i", "testsrc2=size=160x120:rate=15"];
		const output = ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "200k", "-f", "webm", "-live", "1", path];
		await promisify(execFile)("ffmpeg", ["-v", "error", "-y", ...input, ...output]);
		const live = await readFile(path);
		for (const sent of [await post(live, "video/webm"), await tus(live, {})]) {
			const { id, durationSeconds } = await recording(sent);
			expect(durationSeconds).toBeGreaterThan(3.9);
			expect(durationSeconds).toBeLessThan(4.2);
			const body = { label: "in the middle", offsetSeconds: 2 };
			expect((await api.call("POST", `/v1/recordings/${id}/markers`, { body })).status).toBe(201);
			const storyboard = await api.call("GET", `/v1/recordings/${id}/storyboard`);
			expect(storyboard.body.data.length).toBeGreaterThan(1);
		}
	});
});

describe("tus", () => {
	const nameOf = async (fields: Record<string, string>) => (await recording(await tus(mp4, fields))).name;

	test("a video without a name is called like its file", async () => {
		expect(await nameOf({ filename: "webcam-1.mp4" })).toBe("webcam-1.mp4");
		expect(await nameOf({ name: "Checkout", filename: "webcam-1.mp4" })).toBe("Checkout");
		expect(await nameOf({ name: "", filename: "C:\\fakepath\\Aufnahme ü.mp4" })).toBe("Aufnahme ü.mp4");
		expect(await nameOf({ filename: `/tmp/${"a".repeat(300)}\n.mp4` })).toBe("a".repeat(200));
		expect(await nameOf({ filename: "\u0007" })).toBe("Upload");
		expect(await nameOf({})).toBe("Upload");
	});

	test("labels, outcome or keep policy that a job could not have are refused before the first byte, with what is wrong", async () => {
		const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`key-${index}`, "value"]));
		const labelsOf = (labels: unknown) => ({ labels: JSON.stringify(labels) });
		for (const [fields, detail] of [
			[{ labels: "build=123" }, /^labels in Upload-Metadata: Send labels as an object of strings/],
			[labelsOf(["build"]), /^labels in Upload-Metadata: Send labels as an object of strings/],
			[labelsOf("build"), /Send labels as an object of strings/],
			[labelsOf({ build: 123 }), /^labels in Upload-Metadata: Send a label's value as a string of at most 255/],
			[labelsOf({ build: "x".repeat(256) }), /Send a label's value as a string of at most 255/],
			[labelsOf({ build: "a\nb" }), /without line breaks/],
			[labelsOf({ Build: "1" }), /^labels in Upload-Metadata: Use a label key of 1 to 63 lower-case/],
			[labelsOf(many), /^labels in Upload-Metadata: Send at most 32 labels\.$/],
			[labelsOf(Object.fromEntries(Array.from("abcdefghi", (key) => [key, "x".repeat(255)]))), /at most 2000 bytes/],
			[{ outcome: "won" }, /^Send outcome in Upload-Metadata as one of passed, failed, .*, or leave it out\.$/],
			[{ keep: "never" }, /^Send keep in Upload-Metadata as one of always, failed, or leave it out\.$/],
		] as const) {
			expect(await tus(mp4, fields as Record<string, string>)).toEqual({
				...{ status: 422, id: null, detail: expect.stringMatching(detail) },
			});
		}
		expect((await api.call("GET", "/v1/recordings?q=key-0%3Avalue")).body.data).toEqual([]);
		expect(await tus(mp4, { labels: "", outcome: "", keep: "" })).toMatchObject({ status: 201 });
		expect(await tus(mp4, { labels: "{}" })).toMatchObject({ status: 201 });
	});

	test("an upload says its labels in the answer to HEAD, and has them while it arrives", async () => {
		const fields = { name: "Arriving", labels: '{"build":"7"}', outcome: "failed", keep: "always" };
		const headers = { ...TUS, "upload-length": String(mp4.length), "upload-metadata": metadata(fields) };
		const path = (await api.call("POST", "/v1/uploads", { headers })).headers.get("location") ?? "";
		expect((await api.call("HEAD", path, { headers: TUS })).headers.get("upload-metadata")).toBe(metadata(fields));
		const half = Math.floor(mp4.length / 2);
		expect((await api.call("PATCH", path, { headers: CHUNK, raw: mp4.subarray(0, half) })).status).toBe(204);
		const arriving = (await api.call("GET", "/v1/recordings?q=Arriving")).body.data;
		expect(arriving).toMatchObject([{ state: "live", labels: { build: "7" }, outcome: "failed", keep: "always" }]);
		const rest = { ...CHUNK, "upload-offset": String(half) };
		expect((await api.call("PATCH", path, { headers: rest, raw: mp4.subarray(half) })).status).toBe(204);
		const { id } = arriving[0];
		expect((await api.call("GET", `/v1/tests?recordingId=${id}`)).body.data).toMatchObject([{ test: "Arriving" }]);
	});

	const begin = async (name: string, token?: string) => {
		const headers = { ...TUS, "upload-length": String(mp4.length), "upload-metadata": metadata({ name }) };
		return (await api.call("POST", "/v1/uploads", { headers, token })).headers.get("location") ?? "";
	};
	const override = (method: string, path: string, headers: Record<string, string> = TUS, raw?: Buffer, by = "POST") =>
		api.call(by, path, { headers: { ...headers, "x-http-method-override": method }, raw });

	test("a client that only has POST names the method in X-HTTP-Method-Override", async () => {
		const path = await begin("Overridden");
		const half = Math.floor(mp4.length / 2);
		const first = await override("PATCH", path, CHUNK, mp4.subarray(0, half));
		expect([first.status, first.headers.get("upload-offset")]).toEqual([204, String(half)]);
		const head = await override("HEAD", path);
		expect([head.status, head.headers.get("upload-offset"), head.body]).toEqual([200, String(half), null]);
		const rest = await override("patch", path, { ...CHUNK, "upload-offset": String(half) }, mp4.subarray(half));
		expect(rest.status).toBe(204);
		const id = Number(rest.headers.get("tapedeck-recording"));
		expect((await api.call("GET", `/v1/recordings/${id}`)).body).toMatchObject({ name: "Overridden", state: "ready" });
		const other = await begin("Cancelled");
		expect((await override("DELETE", other)).status).toBe(204);
		expect((await api.call("HEAD", other, { headers: TUS })).status).toBe(404);
		// The header is the method, also of a request that has another one.
		expect((await override("POST", "/v1/uploads", { ...TUS, "upload-length": "9" }, undefined, "PUT")).status).toBe(
			201,
		);
	});

	test("the method that counts is the one that is authorized", async () => {
		const path = await begin("Mine");
		const { body: reader } = await (await signIn(api)).call("POST", "/v1/api-keys", {
			body: { name: "reads", scopes: ["recordings:read"] },
		});
		const calls = { headers: { ...CHUNK, "x-http-method-override": "PATCH" }, raw: mp4 };
		expect((await api.call("POST", path, { ...calls, token: reader.secret })).status).toBe(403);
		expect((await api.call("POST", path, { ...calls, token: null })).status).toBe(401);
		const cookie = (await signIn(api)).cookie();
		const foreign = { cookie, origin: "https://elsewhere.example" };
		const crossSite = await api.call("GET", path, {
			headers: { ...TUS, ...foreign, "x-http-method-override": "DELETE" },
			token: null,
		});
		expect(crossSite.status).toBe(403);
		expect((await api.call("HEAD", path, { headers: TUS })).headers.get("upload-offset")).toBe("0");
	});

	test("everywhere else, and with a method that does not exist, it overrides nothing", async () => {
		const { id } = await tus(mp4, { name: "Stays" });
		expect((await override("DELETE", `/v1/recordings/${id}`)).status).toBe(405);
		expect((await override("DELETE", `/v1/recordings/${id}`, {}, undefined, "GET")).body.name).toBe("Stays");
		const path = await begin("Unknown");
		for (const method of ["BREW", "GET", "PUT", "PATCH, DELETE", "x".repeat(5_000)]) {
			const answer = await override(method, path);
			expect([answer.status, answer.body.code]).toEqual([405, "method_not_allowed"]);
		}
		expect((await api.call("POST", path, { headers: TUS })).status).toBe(405);
		expect((await api.call("HEAD", path, { headers: TUS })).status).toBe(200);
	});

	test("the type of a chunk has no case", async () => {
		for (const type of ["Application/Offset+Octet-Stream", "APPLICATION/OFFSET+OCTET-STREAM ; x=y"]) {
			const path = await begin("Loud");
			const sent = await api.call("PATCH", path, { headers: { ...CHUNK, "content-type": type }, raw: mp4 });
			expect(sent.status).toBe(204);
		}
		const path = await begin("Other");
		const refused = await api.call("PATCH", path, { headers: { ...CHUNK, "content-type": "video/mp4" }, raw: mp4 });
		expect(refused.status).toBeGreaterThanOrEqual(400);
	});
});
