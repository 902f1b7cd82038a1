import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const VIDEO_SECONDS = 4;
let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4", VIDEO_SECONDS));
});
afterAll(removeTestFolder);

onEachDatabase((api) => {
	const upload = async (): Promise<string> => {
		const headers = { "content-type": "video/mp4" };
		const { body } = await api().call("POST", "/v1/recordings?name=Elsewhere", { raw: video, headers });
		return `/v1/recordings/${body.id}`;
	};
	const labels = async (path: string) =>
		(await api().call("GET", `${path}/markers`)).body.data.map(
			({ label, offsetSeconds }: { label: string; offsetSeconds: number }) => [label, offsetSeconds],
		);

	test("an uploaded video has its own markers by position, in order, and they can be deleted", async () => {
		const [path, other] = [await upload(), await upload()];
		const late = await api().call("POST", `${path}/markers`, {
			body: { label: " the end ", kind: "fail", offsetSeconds: 3.25 },
		});
		expect([late.status, late.body]).toEqual([
			201,
			{ id: expect.any(Number), jobId: null, label: "the end", kind: "fail", at: null, offsetSeconds: 3.25 },
		]);
		await api().call("POST", `${path}/markers`, { body: { label: "the beginning", offsetSeconds: 0 } });
		expect(await labels(path)).toEqual([
			["the beginning", 0],
			["the end", 3.25],
		]);
		expect(await labels(other)).toEqual([]);
		expect((await api().call("DELETE", `${other}/markers/${late.body.id}`)).status).toBe(404);
		expect((await api().call("DELETE", `${path}/markers/${late.body.id}`)).status).toBe(204);
		expect((await api().call("DELETE", `${path}/markers/${late.body.id}`)).status).toBe(404);
		expect(await labels(path)).toEqual([["the beginning", 0]]);
		expect((await api().call("DELETE", path)).status).toBe(204);
		expect((await api().call("GET", `${path}/markers`)).status).toBe(404);
	});

	test("a marker that is invalid or after the end of the video is refused at its own field", async () => {
		const path = await upload();
		for (const [body, fields] of [
			[{ label: "after", offsetSeconds: VIDEO_SECONDS + 0.2 }, ["offsetSeconds"]],
			[{ label: "before", offsetSeconds: -1 }, ["offsetSeconds"]],
			[{ label: " ", kind: "x", at: "2026-11-21T10:00:00Z" }, ["at", "kind", "label", "offsetSeconds"]],
		] as const) {
			const answer = await api().call("POST", `${path}/markers`, { body });
			expect(answer.status).toBe(422);
			expect(answer.body.errors.map((fault: { path: string }) => fault.path).sort()).toEqual(fields);
		}
		expect(await labels(path)).toEqual([]);
	});

	test("many markers are added in one call, all or none, and each fault is at its own place", async () => {
		const path = await upload();
		const many = Array.from({ length: 500 }, (_, index) => ({ label: `m${index}`, offsetSeconds: index / 200 }));
		const added = await api().call("POST", `${path}/markers/batch`, { body: { markers: [...many].reverse() } });
		expect(added.status).toBe(201);
		// In the order in which they were sent, with ids in the same order.
		expect(added.body.data.map(({ label }: { label: string }) => label)).toEqual(
			many.map(({ label }) => label).reverse(),
		);
		expect(added.body.data[0]).toEqual({
			...{ id: expect.any(Number), jobId: null, label: "m499", kind: "note", at: null, offsetSeconds: 2.495 },
		});
		const { body } = await api().call("GET", `${path}/markers?limit=100`);
		expect(body.data.map(({ label }: { label: string }) => label)).toEqual(
			many.slice(0, 100).map(({ label }) => label),
		);

		const other = await upload();
		const mixed = [
			{ label: "good", offsetSeconds: 1 },
			{ label: "late", kind: "fail", offsetSeconds: VIDEO_SECONDS + 0.2 },
			{ label: "good too", offsetSeconds: 2 },
			{ label: "later", offsetSeconds: VIDEO_SECONDS + 9 },
		];
		for (const [markers, fields] of [
			[mixed, ["markers.1.offsetSeconds", "markers.3.offsetSeconds"]],
			[[mixed[0], { label: "", offsetSeconds: 1 }], ["markers.1.label"]],
			[[], ["markers"]],
			[[...many, ...many.slice(0, 1)], ["markers"]],
		] as const) {
			const answer = await api().call("POST", `${other}/markers/batch`, { body: { markers } });
			expect(answer.status).toBe(422);
			expect(answer.body.errors.map((fault: { path: string }) => fault.path)).toEqual(fields);
		}
		expect(await labels(other)).toEqual([]);
		expect((await api().call("GET", other)).body.outcome).toBeNull();
	});

	test("many markers of a job are added by their time, and a failed one of them is the outcome", async () => {
		const { runnerId } = await api().signIn("runner of many markers");
		const order = { runnerId, displayId: ":99", stopCondition: "interrupt" };
		const { body: job } = await api().call("POST", "/v1/jobs", { body: order });
		const at = ["2026-11-21T10:00:02.000Z", "2026-11-21T10:00:01.000Z"];
		const markers = [
			{ label: "total", kind: "fail", at: at[0] },
			{ label: "cart", kind: "pass", at: at[1] },
		];
		const added = await api().call("POST", `/v1/jobs/${job.id}/markers/batch`, { body: { markers } });
		expect(added.status).toBe(201);
		expect(added.body.data).toMatchObject(markers.map((marker) => ({ ...marker, jobId: job.id })));
		expect((await labels(`/v1/jobs/${job.id}`)).map(([label]: [string]) => label)).toEqual(["cart", "total"]);
		expect((await api().call("GET", `/v1/jobs/${job.id}`)).body.outcome).toBe("failed");
		const now = await api().call("POST", `/v1/jobs/${job.id}/markers/batch`, { body: { markers: [{ label: "now" }] } });
		expect(Math.abs(Date.parse(now.body.data[0].at) - Date.now())).toBeLessThan(60_000);
		const absent = await api().call("POST", "/v1/jobs/999999/markers/batch", { body: { markers: [{ label: "x" }] } });
		expect(absent.status).toBe(404);
	});

	test("a job and its recording have the same markers, and the event stream sends each change", async () => {
		const dashboard = { url: api().url, runnerToken: TEST_RUNNER_TOKEN, api: connect(api().url, TEST_API_KEY) };
		const runner = await scriptRunner(dashboard, "runner of chapters");
		const jobId = await runner.record("With chapters");
		expect(await runner.send(jobId, 0, video, video.length)).toBe(204);
		const ahead = new Date(Date.now() + 1_000).toISOString();
		const live = await api().call("POST", `/v1/jobs/${jobId}/markers`, { body: { label: "ahead", at: ahead } });
		expect(live.status).toBe(201);
		await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		const job = await dashboard.api.waitFor(jobId, "playable");
		await runner.stop();
		const path = `/v1/recordings/${job.recording?.id}`;
		await api().call("DELETE", `/v1/jobs/${jobId}/markers/${live.body.id}`);

		const controller = new AbortController();
		const stream = await fetch(`${api().url}/v1/events`, {
			headers: { authorization: `Bearer ${TEST_API_KEY}` },
			signal: controller.signal,
		});
		const created = await api().call("POST", `${path}/markers`, { body: { label: "here", offsetSeconds: 1.5 } });
		const at = new Date(Date.parse(job.startedAt ?? "") + 1_500).toISOString();
		expect(created.body).toMatchObject({ jobId, at, offsetSeconds: 1.5 });
		let received = "";
		for await (const chunk of stream.body ?? []) {
			received += new TextDecoder().decode(chunk);
			if (received.includes("event: markers")) break;
		}
		controller.abort();
		expect(received).toContain(`event: markers\ndata: ${JSON.stringify({ jobId, recordingId: job.recording?.id })}\n`);

		expect(await labels(`/v1/jobs/${jobId}`)).toEqual([["here", 1.5]]);
		expect(await labels(path)).toEqual([["here", 1.5]]);
		const end = Date.parse(job.startedAt ?? "") + VIDEO_SECONDS * 1_000;
		const after = new Date(end + 100).toISOString();
		const refused = await api().call("POST", `/v1/jobs/${jobId}/markers`, { body: { label: "too late", at: after } });
		expect([refused.status, refused.body.errors[0].path]).toEqual([422, "at"]);
		expect((await api().call("DELETE", `/v1/jobs/${jobId}/markers/${created.body.id}`)).status).toBe(204);
		expect(await labels(path)).toEqual([]);
	});
});
