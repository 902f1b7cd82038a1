import { readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { newTestResultSchema } from "@tapedeck/contract/test-result.ts";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createRecordingMarker } from "#lib/recordings/recording-markers.ts";
import { appendToTrack } from "#lib/recordings/tracks/append-track.ts";
import { startTestApi, TEST_API_KEY } from "#test/api-server.ts";
import { inExplore } from "#test/in-explore.ts";
import { openTestRecordings, SESSION, type TestRecordings } from "#test/recordings.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { brighteningVideo, firstSecondsOf } from "#test/videos/brightening-video.ts";
import { decodePicture } from "#test/videos/decode-picture.ts";
import { makeVideo, removeTestFolder, testFolder } from "#test/videos/make-video.ts";
import { resizedVideo } from "#test/videos/resized-video.ts";
import { createResults } from "./create-results.ts";
import { readDigest, readSheet } from "./digest.ts";

const signal = new AbortController().signal;
const ASKED = { maxTokens: 2_000, frames: 9, part: "text", signal } as const;

let t: TestRecordings;
beforeEach(async () => {
	t = await openTestRecordings();
});
afterEach(() => t.close());
afterAll(removeTestFolder);

async function recorded(video: Buffer): Promise<{ id: number; jobId: number }> {
	const jobId = await t.addJob("uploading");
	await patch(t, await beginUpload(t, { jobId }), 0, video, { length: video.length });
	const row = (await t.recordings()).find((each) => each.jobId === jobId);
	return { id: row?.id ?? 0, jobId };
}

const at = (seconds: number): string => new Date(1 + seconds * 1_000).toISOString();
const failure = (key: string, message: string, failedAt = 5.2) =>
	newTestResultSchema.parse({
		...{ key, test: `${key} pays`, file: "shop.spec.ts", line: 12, outcome: "failed", message },
		...{ startedAt: at(2), endedAt: at(failedAt + 0.5) },
		steps: [
			{ title: "Open cart", startedAt: at(2), durationSeconds: 1, outcome: "passed" },
			{
				...{ title: "Pay", startedAt: at(3), durationSeconds: failedAt - 3, outcome: "failed" },
				steps: [{ title: "Click Pay", startedAt: at(3), durationSeconds: failedAt - 3, outcome: "failed" }],
			},
		],
	});

test("a digest says how a recording ended, what failed at which step, and where to see it", async () => {
	const { id, jobId } = await recorded(await brighteningVideo("digest.mp4"));
	const passed = newTestResultSchema.parse({
		key: "ok",
		test: "opens",
		outcome: "passed",
		startedAt: at(0),
		endedAt: at(2),
	});
	const [card] = await createResults(t.as("owner"), jobId, [
		failure("card", "Expected 200\nbut got ```500```"),
		passed,
	]);
	const { markdown, frames, sheetUrl } = await readDigest(t.as("key"), { ...ASKED, recordingId: id });
	expect(markdown).toMatch(/^# Checkout test: /);
	expect(markdown).toContain(`- Page: http://tapedeck.test/recordings/${id}\n`);
	expect(markdown).toContain("- Stopped: cancelled, display :99\n");
	expect(markdown).toContain("## Failures: 1 of 2 results");
	expect(markdown).toContain("### card pays (shop.spec.ts:12): new\n");
	expect(markdown).toContain(`- At 0:05.2: http://tapedeck.test/recordings/${id}?result=${card?.id}\n`);
	expect(markdown).toContain("- Step: Pay › Click Pay\n");
	// In a fence that the message cannot end.
	expect(markdown).toContain("````text\nExpected 200\nbut got ```500```\n````");
	expect(markdown).toContain("Other results: 1 passed.");
	expect(frames).toContainEqual({
		...{ at: 5.2, why: "card pays failed" },
		url: `http://tapedeck.test/v1/recordings/${id}/frame?at=5.2&width=1280`,
	});
	for (const { url } of frames) expect(markdown).toContain(url);
	expect(markdown).toContain(sheetUrl);
	expect(await readDigest(t.as("key"), { ...ASKED, recordingId: id })).toEqual({ markdown, frames, sheetUrl });
});

test("a digest says about of a failure whose time is not exact", async () => {
	const { id, jobId } = await recorded(await brighteningVideo("about.mp4"));
	await createResults(t.as("owner"), jobId, [{ ...failure("card", "Expected 200"), isApproximate: true }]);
	const { markdown, frames } = await readDigest(t.as("key"), { ...ASKED, recordingId: id });
	expect(markdown).toContain("- At about 0:05.2: ");
	expect(frames.map(({ why }) => why)).toContain("card pays failed at about this time");
});

test("names, labels, steps and errors have no meaning in the digest's Markdown", async () => {
	const evil = "](http://evil.test) <img src=x> # *a* @all | `b`";
	const safe = "\\](http://evil.test) \\<img src=x\\> \\# \\*a\\* \\@all \\| \\`b\\`";
	const { id, jobId } = await recorded(await brighteningVideo("evil.mp4"));
	await t.db.updateTable("recording").set({ name: evil }).where("id", "=", id).execute();
	const startedAndEnded = { startedAt: at(2), endedAt: at(5) };
	const step = { title: evil, startedAt: at(3), durationSeconds: 1, outcome: "failed" };
	const failed = { key: "1", test: evil, file: evil, outcome: "failed", steps: [step], ...startedAndEnded };
	await createResults(t.as("owner"), jobId, [newTestResultSchema.parse(failed)]);
	const { markdown } = await readDigest(t.as("key"), { ...ASKED, recordingId: id });
	for (const line of [`# ${safe}: `, `### ${safe} (${safe})`, `- Step: ${safe}`, `0:04.0 ${safe} failed: http`]) {
		expect(markdown).toContain(line);
	}
	expect(markdown).not.toContain(evil);
});

test("it has the last lines of each log before the failure, as data, the active window, and how busy the machine was", async () => {
	const { id, jobId } = await recorded(await brighteningVideo("logs.mp4"));
	const line = (seconds: number, text: string) => `${JSON.stringify({ at: at(seconds), text })}\n`;
	const append = (name: string, lines: string[]) =>
		appendToTrack(t.as("key"), {
			...{ jobId, name },
			req: Object.assign(Readable.from([Buffer.from(lines.join(""))]), {
				complete: true,
				headers: { "content-type": "application/x-ndjson" },
			}) as unknown as IncomingMessage,
		});
	const log = Array.from({ length: 50 }, (_, n) => line(n / 10, `line ${n} \u001b[31m\`\`\`red\u001b[39m 漢`));
	await append("log", [...log, line(5.4, "after the failure")]);
	await append("console", [line(3, "500 POST /pay")]);
	await append("load", [line(4, "CPU 97 %"), line(5.3, "CPU 3 %")]);
	await append("windows", [line(1, "Cart"), line(3, "Pay ``` # now"), line(5.3, "Sorry")]);
	await createResults(t.as("owner"), jobId, [failure("card", "Expected 200")]);
	const { markdown } = await readDigest(t.as("key"), { ...ASKED, recordingId: id });
	expect(markdown).toContain("## log: the last lines before 0:05.2, the failure\n\n````text\n");
	expect(markdown).toMatch(/\n0:03\.0 line 30 ```red 漢\n(.*\n){18}0:04\.9 line 49 ```red 漢\n````\n/);
	expect(markdown).not.toContain("line 29");
	expect(markdown).not.toContain("after the failure");
	expect(markdown).toContain(
		"## console: the last lines before 0:05.2, the failure\n\n```text\n0:03.0 500 POST /pay\n```\n",
	);
	expect(markdown).toContain("Load of the machine before 0:05.2, the failure: CPU 97 %.");
	expect(markdown).toContain("Active window before 0:05.2, the failure:\n\n````text\nPay ``` # now\n````\n");
	const short = await readDigest(t.as("key"), { ...ASKED, maxTokens: 300, recordingId: id });
	expect(Buffer.byteLength(short.markdown)).toBeLessThanOrEqual(1_200);
	expect(short.markdown).not.toContain("\ufffd");
});

inExplore(test)("a digest is never longer than asked, and the failure stays in it", async () => {
	const { id, jobId } = await recorded(await readFile(await makeVideo("recorder.mp4")));
	const many = Array.from({ length: 40 }, (_, index) =>
		failure(`${index}`, `${"Unexpected 漢字 🎬 ".repeat(300)}${index}`, 3.5),
	);
	await createResults(t.as("owner"), jobId, many);
	for (const maxTokens of [200, 500, 2_000, 20_000]) {
		const { markdown } = await readDigest(t.as("key"), { ...ASKED, maxTokens, recordingId: id });
		expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(maxTokens * 4);
		expect(markdown).not.toContain("\ufffd");
		expect(markdown).toContain("## Failures: 40 of 40 results");
		if (maxTokens < 2_000) expect(markdown).toContain("More is left out");
	}
});

test("its frames are those of failures and those that changed most, of uploaded videos and of storyboards", async () => {
	const { id } = await recorded(await brighteningVideo("changes.mp4"));
	const upload = await t.call("/v1/recordings?name=x", {
		method: "POST",
		as: "key",
		body: await brighteningVideo("up.mp4"),
	});
	const uploadId = JSON.parse(upload.body.toString()).id;
	await createRecordingMarker(t.as("key"), uploadId, { label: "broken", kind: "fail", offsetSeconds: 3.7 });
	const { frames } = await readDigest(t.as("key"), { ...ASKED, frames: 3, recordingId: uploadId });
	expect(frames.map(({ at, why }) => [at, why])).toEqual([
		[0, "beginning"],
		[3.7, "x failed"],
		[7.5, "end"],
	]);
	// A screen that changes once, at the end of a storyboard of frames that are the same.
	const [dark, bright] = await Promise.all(
		[0, 6].map(
			async (second) => (await t.call(`/v1/recordings/${id}/frame?at=${second}&width=160`, { as: "key" })).body,
		),
	);
	const live = await t.addJob();
	await patch(t, await beginUpload(t, { jobId: live }), 0, await brighteningVideo("live.mp4"));
	for (const [seconds, body] of [dark, dark, bright, bright].map((body, index) => [index * 2, body] as const)) {
		const headers = { "content-type": "image/jpeg", "tapedeck-session": SESSION };
		const path = `/v1/runner/jobs/${live}/poster?at=${seconds}`;
		expect((await t.call(path, { method: "PUT", headers, body })).status).toBe(204);
	}
	const liveId = (await t.recordings()).find(({ jobId }) => jobId === live)?.id ?? 0;
	const ofStoryboard = await readDigest(t.as("key"), { ...ASKED, frames: 3, recordingId: liveId });
	expect(ofStoryboard.frames.map(({ at }) => at)).toEqual([0, 4, 6]);
});

test("the sheet has the frames in their order, and at most 600 kB", async () => {
	const { id } = await recorded(await brighteningVideo("sheet.mp4"));
	const asked = { ...ASKED, frames: 4, recordingId: id };
	const { frames } = await readDigest(t.as("key"), asked);
	const sheet = await readSheet(t.as("key"), asked);
	expect(sheet.length).toBeLessThan(600_000);
	const { width } = await decodePicture(sheet);
	// Frames are as large as in the video.
	expect(width).toBe(2 * (320 + 4));
	const path = `${await testFolder()}/sheet.jpg`;
	await writeFile(path, sheet);
	// The upper row of two by two.
	const seconds = await firstSecondsOf(path, 2, 0.5);
	expect(seconds).toEqual(frames.slice(0, 2).map(({ at }) => Math.floor(at)));
});

inExplore(test)("the sheet of a display that was resized has every frame whole in its place", async () => {
	const { id } = await recorded(await resizedVideo());
	const asked = { ...ASKED, frames: 4, recordingId: id };
	const { frames } = await readDigest(t.as("key"), asked);
	const white = frames.filter(({ at }) => at >= 2.5).length;
	expect(white).toBeGreaterThan(0);
	const columns = Math.ceil(Math.sqrt(frames.length));
	const places = columns * Math.ceil(frames.length / columns);
	// As high as the others, a white one is narrower: 72 of 160 columns.
	const { brightness } = await decodePicture(await readSheet(t.as("key"), asked));
	expect(brightness / 255).toBeCloseTo((white * 72) / 160 / places, 1);
});

test("other organizations' recordings and unknown ones have no digest", async () => {
	const { id } = await recorded(await readFile(await makeVideo("recorder.mp4")));
	const digest = (who: string, recordingId: number) => readDigest(t.as(who), { ...ASKED, recordingId });
	await expect(digest("foreignKey", id)).rejects.toMatchObject({ code: "not_found" });
	await expect(digest("key", 999)).rejects.toMatchObject({ code: "not_found" });
});

test("the API answers with Markdown, JSON or the sheet", async () => {
	const api = await startTestApi();
	try {
		const raw = await readFile(await makeVideo("recorder.mp4"));
		const { body: recording } = await api.call("POST", "/v1/recordings?name=Digest", {
			raw,
			headers: { "content-type": "video/mp4" },
		});
		const path = `/v1/recordings/${recording.id}/digest`;
		const get = (query: string, headers: Record<string, string> = {}) =>
			fetch(`${api.url}${path}${query}`, { headers: { authorization: `Bearer ${TEST_API_KEY}`, ...headers } });
		const text = await get("");
		expect([text.status, text.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
		const markdown = await text.text();
		expect(markdown).toMatch(/^# Digest: no result\n/);
		const json = await get("", { accept: "application/json" });
		expect(await json.json()).toMatchObject({ markdown, frames: [{ at: 0, why: "beginning" }, {}, {}, {}] });
		const sheet = await get("?part=sheet&frames=2");
		expect([sheet.status, sheet.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
		expect((await decodePicture(Buffer.from(await sheet.arrayBuffer()))).width).toBe(2 * (160 + 4));
		expect((await get("?maxTokens=10")).status).toBe(422);
	} finally {
		await api.stop();
	}
});
