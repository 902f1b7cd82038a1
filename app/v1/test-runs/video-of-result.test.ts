/** A video of a headless browser becomes the recording of its result. */
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { frameSweep } from "#lib/test-results/failure-frames.ts";
import { signIn } from "#test/api-people.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { metadata } from "#test/tus-client.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const BEGIN = Date.parse("2026-11-01T00:00:00.000Z");
const at = (seconds: number): string => new Date(BEGIN + seconds * 1_000).toISOString();
/** 4 s long. */
let webm: Buffer;
let mp4: Buffer;
beforeAll(async () => {
	webm = await readFile(await makeVideo("vp8.webm"));
	mp4 = await readFile(await makeVideo("plain.mp4"));
});
afterAll(removeTestFolder);

onOneDatabase((api) => {
	const read = async (path: string) => (await api().call("GET", path)).body;
	const results = (outcome = "failed") => [
		{ key: "a", test: "Pay", outcome, message: "Error: declined", startedAt: at(10), endedAt: at(13) },
	];
	async function failedResult(labels: Record<string, string> = {}): Promise<TestResult> {
		const run = (await api().call("POST", "/v1/test-runs", { body: { labels } })).body;
		return (await api().call("POST", `/v1/test-runs/${run.id}/tests`, { body: results() })).body.data[0];
	}
	/** A run, and a function that reports the result of one of its tests. */
	async function testRun() {
		const { id } = (await api().call("POST", "/v1/test-runs", { body: {} })).body;
		const report = async (key: string, outcome: string | null): Promise<TestResult> => {
			const body = [{ key, test: `Pay ${key}`, outcome, startedAt: at(10) }];
			return (await api().call("POST", `/v1/test-runs/${id}/tests`, { body })).body.data[0];
		};
		return { id, report };
	}
	const upload = (query: string, raw = webm, type = "video/webm") =>
		api().call("POST", `/v1/recordings?name=Video&${query}`, { raw, headers: { "content-type": type } });

	test("a video becomes that of its result: with its times, its outcome, the labels of its run and the frame of the failure", async () => {
		const result = await failedResult({ build: "v-1", branch: "main" });
		const { status, body: recording } = await upload(`testResultId=${result.id}&startedAt=${at(9.5)}`);
		expect(status, JSON.stringify(recording)).toBe(201);
		expect(recording).toMatchObject({
			outcome: "failed",
			labels: { build: "v-1", branch: "main" },
			createdAt: at(9.5),
		});
		const shown = await read(`/v1/tests/${result.id}`);
		expect(shown).toMatchObject({
			...{ recordingId: recording.id, testRunId: result.testRunId, labels: { build: "v-1", branch: "main" } },
			...{ offsetSeconds: 0.5, failureOffsetSeconds: 3.5, outcome: "failed", new: true },
		});
		expect((await read(`/v1/tests?recordingId=${recording.id}`)).data.map(({ id }: TestResult) => id)).toEqual([
			result.id,
		]);
		await frameSweep(new AbortController().signal)(contextFor(api().app, { kind: "system", organizationId: 0 }));
		expect((await read(`/v1/tests/${result.id}`)).hasFrame).toBe(true);
		// Reported again, and changed as a recording, it is still the same result of the same run.
		await api().call("POST", `/v1/test-runs/${result.testRunId}/tests`, { body: results("error") });
		await api().call("PATCH", `/v1/recordings/${recording.id}`, {
			body: { labels: { build: "other" }, outcome: "passed" },
		});
		const { data } = await read(`/v1/tests?testRunId=${result.testRunId}`);
		expect(data).toMatchObject([
			{ id: result.id, recordingId: recording.id, outcome: "error", labels: { build: "v-1" } },
		]);
		expect((await read("/v1/builds/v-1")).tests).toMatchObject({ all: 1, error: 1 });
	});

	test("a video that arrives while its test runs gets the outcome of its result, also when the run ends without one", async () => {
		const { id: runId, report } = await testRun();
		const videoOfRunning = async (key: string, query = "") => {
			const { id } = await report(key, null);
			return (await upload(`testResultId=${id}&${query}`)).body;
		};
		const failing = await videoOfRunning("fails");
		const passing = await videoOfRunning("passes", "keep=failed");
		const ownOutcome = await videoOfRunning("has another", "outcome=error");
		const unreported = await videoOfRunning("ends with its run");
		expect([failing, passing, ownOutcome, unreported].map(({ outcome }) => outcome)).toEqual([
			null,
			null,
			"error",
			null,
		]);
		const changed = new Set<number>();
		const unsubscribe = api().app.events.subscribe(
			(change) => change.type === "recording" && changed.add(change.recordingId),
		);
		for (const [key, outcome] of [
			["fails", "failed"],
			["passes", "passed"],
			["has another", "failed"],
		] as const)
			await report(key, outcome);
		await api().call("POST", `/v1/test-runs/${runId}/end`, { body: { outcome: "failed" } });
		unsubscribe();
		const recording = (id: number) => read(`/v1/recordings/${id}`);
		expect(await recording(failing.id)).toMatchObject({ outcome: "failed" });
		expect(await recording(passing.id)).toMatchObject({ outcome: "passed", deleteAt: expect.any(String) });
		expect(await recording(ownOutcome.id)).toMatchObject({ outcome: "error" });
		expect(await recording(unreported.id)).toMatchObject({ outcome: "error" });
		expect([...changed]).toEqual(expect.arrayContaining([failing.id, passing.id, unreported.id]));
		// A failure of the teardown, after the test.
		await report("passes", "failed");
		expect(await recording(passing.id)).toMatchObject({ outcome: "failed", deleteAt: null });
	});

	test("a video and the outcome of its result may arrive at the same time", async () => {
		const { report } = await testRun();
		const outcomes = await Promise.all(
			Array.from({ length: 6 }, async (_, number) => {
				const { id } = await report(`${number}`, null);
				const uploaded = upload(`testResultId=${id}`);
				await setTimeout(number * 10);
				await report(`${number}`, "failed");
				return (await read(`/v1/recordings/${(await uploaded).body.id}`)).outcome;
			}),
		);
		expect(outcomes).toEqual(Array(6).fill("failed"));
	});

	test("without startedAt, the video begins with its test; MP4 is as good as WebM", async () => {
		const result = await failedResult();
		expect((await upload(`testResultId=${result.id}`, mp4, "video/mp4")).body.createdAt).toBe(at(10));
		expect(await read(`/v1/tests/${result.id}`)).toMatchObject({ offsetSeconds: 0, failureOffsetSeconds: 3 });
	});

	test("by tus, a video becomes that of its result, and one that cannot be is refused with the reason and leaves nothing", async () => {
		const TUS = { "tus-resumable": "1.0.0" };
		const begin = (fields: Record<string, string | number>) =>
			api().call("POST", "/v1/uploads", {
				headers: {
					...TUS,
					"upload-length": String(webm.length),
					"upload-metadata": metadata({ name: "Video", filetype: "video/webm", ...fields }),
				},
			});
		const send = (path: string) =>
			api().call("PATCH", path, {
				raw: webm,
				headers: { ...TUS, "content-type": "application/offset+octet-stream", "upload-offset": "0" },
			});
		const result = await failedResult({ build: "v-2" });
		const labels = JSON.stringify({ browser: "webkit" });
		const begun = [
			await begin({ testResultId: result.id, startedAt: at(9.5), labels }),
			await begin({ testResultId: result.id, startedAt: at(9.5) }),
		].map(({ headers }) => headers.get("location") ?? "");
		const [sent, second] = [await send(begun[0] as string), await send(begun[1] as string)];
		expect(sent.status, sent.body).toBe(204);
		const id = Number(sent.headers.get("tapedeck-recording"));
		expect(await read(`/v1/recordings/${id}`)).toMatchObject({
			...{ outcome: "failed", labels: { build: "v-2", browser: "webkit" }, createdAt: at(9.5), state: "ready" },
		});
		expect(await read(`/v1/tests/${result.id}`)).toMatchObject({
			...{ recordingId: id, offsetSeconds: 0.5, failureOffsetSeconds: 3.5, labels: { build: "v-2" } },
		});
		expect([second.status, second.body]).toEqual([409, expect.stringContaining(`recording ${id}`)]);
		expect((await api().call("HEAD", begun[1] as string, { headers: TUS })).status).toBe(404);
		const other = await failedResult();
		for (const [fields, status, why] of [
			[{ testResultId: result.id }, 409, `recording ${id}`],
			[{ testResultId: 999_999_999 }, 404, "test result"],
			[{ testResultId: other.id, startedAt: "today" }, 422, "RFC 3339"],
			[{ testResultId: other.id, startedAt: new Date(Date.now() + 3_600_000).toISOString() }, 422, "in the past"],
			[{ startedAt: at(0) }, 422, "testResultId"],
		] as const) {
			const { status: answered, body } = await begin(fields);
			expect([answered, body]).toEqual([status, expect.stringContaining(why)]);
		}
		const early = await begin({ testResultId: other.id, startedAt: at(-86_400) });
		const { status, body } = await send(early.headers.get("location") ?? "");
		expect([status, body]).toEqual([422, expect.stringContaining("ends before the test began")]);
		expect((await read(`/v1/tests/${other.id}`)).recordingId).toBeNull();
		expect((await read("/v1/recordings")).data.map(({ id }: { id: number }) => id)).not.toContain(id + 1);
	});

	test("a result has one video: a second one is refused, also at the same time, until the first one is deleted", async () => {
		const result = await failedResult();
		const answers = await Promise.all([upload(`testResultId=${result.id}`), upload(`testResultId=${result.id}`)]);
		expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
		const first = answers.find(({ status }) => status === 201)?.body;
		const refused = await upload(`testResultId=${result.id}`);
		expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining(`recording ${first.id}`)]);
		await api().call("DELETE", `/v1/recordings/${first.id}`);
		expect((await read(`/v1/tests/${result.id}`)).recordingId).toBeNull();
		const second = await upload(`testResultId=${result.id}`);
		expect(second.status).toBe(201);
		expect((await read(`/v1/tests/${result.id}`)).recordingId).toBe(second.body.id);
	});

	test.each([
		["in the future", () => new Date(Date.now() + 3_600_000).toISOString(), "in the past"],
		["a day before its test", () => at(-86_400), "ends before the test began"],
		["a day after its test", () => at(86_400), "begins after the test ended"],
	])("a video that begins %s is refused, and leaves nothing", async (_when, startedAt, why) => {
		const result = await failedResult();
		const { status, body } = await upload(`testResultId=${result.id}&startedAt=${startedAt()}`);
		expect([status, body.errors?.[0]]).toMatchObject([422, { path: "startedAt" }]);
		expect(body.detail).toContain(why);
		expect((await read(`/v1/tests/${result.id}`)).recordingId).toBeNull();
	});

	test("a result of another organization is not found, and one that an upload owns gets no video", async () => {
		const result = await failedResult();
		const owner = await signIn(api());
		const { body: other } = await owner.call("POST", "/v1/organizations", { body: { name: "Strangers" } });
		const path = `/v1/recordings?name=x&testResultId=${result.id}&organizationId=${other.id}`;
		const headers = { "content-type": "video/webm" };
		expect((await owner.call("POST", path, { raw: webm, headers })).status).toBe(404);
		const { body: uploaded } = await upload("outcome=failed");
		const [own] = (await read(`/v1/tests?recordingId=${uploaded.id}`)).data;
		expect((await upload(`testResultId=${own.id}`)).status).toBe(409);
		expect((await upload("testResultId=999999999")).status).toBe(404);
	});
});
