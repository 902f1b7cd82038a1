import { readFile } from "node:fs/promises";
import type { Marker } from "@tapedeck/contract/marker.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const VIDEO_SECONDS = 4;
let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4", VIDEO_SECONDS));
});
afterAll(removeTestFolder);

onOneDatabase((api) => {
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
			{
				id: expect.any(Number),
				jobId: null,
				label: "the end",
				kind: "fail",
				message: null,
				at: null,
				offsetSeconds: 3.25,
				clampedTo: null,
			},
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
			...{
				id: expect.any(Number),
				jobId: null,
				label: "m499",
				kind: "note",
				message: null,
				at: null,
				offsetSeconds: 2.495,
				clampedTo: null,
			},
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
		const markAt = (ms: number) =>
			api().call("POST", `/v1/jobs/${jobId}/markers`, {
				body: { label: "at the end", at: new Date(ms).toISOString() },
			});
		// Frames that are equal to the last one are not in the video, for up to a third of a second.
		const late = await markAt(end + 300);
		expect(late.body).toMatchObject({ offsetSeconds: VIDEO_SECONDS, clampedTo: null });
		await api().call("DELETE", `/v1/jobs/${jobId}/markers/${late.body.id}`);
		const refused = await markAt(end + 400);
		expect([refused.status, refused.body.errors[0].path]).toEqual([422, "at"]);
		expect((await api().call("DELETE", `/v1/jobs/${jobId}/markers/${created.body.id}`)).status).toBe(204);
		expect(await labels(path)).toEqual([]);
	});

	test("a message has several lines, and no message refuses a marker or its batch", async () => {
		const path = await upload();
		const message = "AssertionError: expected 3 items\n\n\tat cart.spec.ts:12 <b>&amp;</b> 失敗 💥";
		const one = await api().call("POST", `${path}/markers`, { body: { label: "cart", message, offsetSeconds: 1 } });
		expect([one.status, one.body.message]).toEqual([201, message]);
		const odd = [
			["y".repeat(100_000), expect.stringMatching(/^y+\n… \(cut: 91,\d{3} more characters\)$/)],
			["\u001b[31mred\u001b[39m\u0000\r\nline \ud800", "red\nline \ufffd"],
			["", null],
			[" \n ", null],
			[null, null],
			[undefined, null],
		] as const;
		const markers = odd.map(([message], at) => ({ label: `odd ${at}`, kind: "fail", message, offsetSeconds: 2 }));
		const many = await api().call("POST", `${path}/markers/batch`, { body: { markers } });
		expect(many.status).toBe(201);
		const messages = (body: { data: { message: string | null }[] }) => body.data.map(({ message }) => message);
		expect(messages(many.body)).toEqual(odd.map(([, stored]) => stored));
		expect(Buffer.byteLength(many.body.data[0].message)).toBeLessThanOrEqual(8_192);
		const listed = await api().call("GET", `${path}/markers`);
		expect(messages(listed.body)).toEqual([message, ...odd.map(([, stored]) => stored)]);

		const { body: link } = await api().call("POST", `${path}/links`, { body: { expiresAt: null } });
		const shared = await api().call("GET", `/v1${new URL(link.url).pathname}`, { token: null });
		expect(messages({ data: shared.body.markers })).toEqual(messages(listed.body));
	});

	test("while a job waits or records, a marker later than now is refused, alone and in a batch, and at its end none is outside", async () => {
		const dashboard = { url: api().url, runnerToken: TEST_RUNNER_TOKEN, api: connect(api().url, TEST_API_KEY) };
		const runner = await scriptRunner(dashboard, "runner of the future");
		const { body: waiting } = await api().call("POST", "/v1/jobs", {
			body: { runnerId: runner.runnerId, displayId: ":98", stopCondition: "interrupt" },
		});
		const jobId = await runner.record("From the future");
		expect(await runner.send(jobId, 0, video)).toBe(204);
		const { body: live } = await api().call("GET", `/v1/jobs/${jobId}`);
		const path = `/v1/jobs/${jobId}/markers`;
		const ahead = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
		const faults = (answer: { status: number; body: { errors?: { path: string; code: string }[] } }) => [
			answer.status,
			...(answer.body.errors ?? []).map(({ path, code }) => `${path} ${code}`),
		];
		const post = (path: string, body: object) => api().call("POST", path, { body });

		for (const at of ["2030-06-01T12:00:00Z", "9999-01-01T00:00:00+00:00", ahead(60)]) {
			expect(faults(await post(path, { label: "x", kind: "fail", at }))).toEqual([422, "at too_big"]);
			expect(faults(await post(`/v1/jobs/${waiting.id}/markers`, { label: "x", at }))).toEqual([422, "at too_big"]);
			const markers = [{ label: "now" }, { label: "x", at }];
			expect(faults(await post(`${path}/batch`, { markers }))).toEqual([422, "markers.1.at too_big"]);
		}
		const byPosition = `/v1/recordings/${live.recording.id}/markers`;
		expect(faults(await post(byPosition, { label: "x", offsetSeconds: 3_600 }))).toEqual([
			422,
			"offsetSeconds too_big",
		]);
		expect((await post(byPosition, { label: "at the start", offsetSeconds: 0 })).status).toBe(201);
		// A clock may be a little ahead.
		expect((await post(path, { label: "soon", at: ahead(3) })).status).toBe(201);
		const before = await post(path, { label: "long ago", at: "2020-01-01T00:00:00Z" });
		expect(before.body).toMatchObject({ at: "2020-01-01T00:00:00.000Z", offsetSeconds: 0, clampedTo: "start" });
		// An event that a runner reports has happened, even if the runner's clock is ahead.
		const marked = (label: string) =>
			({ type: "command_marker", message: "Marked.", marker: { label, kind: "step", message: null } }) as const;
		await runner.report(jobId, { ...marked("by the runner"), at: ahead(3_600) });
		const at = "2031-01-01T00:00:00.000Z";
		const skewed = { ...marked("by a skewed runner"), jobId, jobKey: runner.keyOf(jobId), seq: 100, at };
		expect((await runner.call("reports", { sentAt: at, jobs: [skewed] })).status).toBe(200);
		const far = { label: "of a report", kind: "fail", message: null, offsetSeconds: 110_967_311 } as const;
		await runner.report(jobId, { type: "command_ended", message: "Ended.", outcome: "failed", markers: [far] });
		const placed = async () =>
			(await api().call("GET", path)).body.data.map(({ label, offsetSeconds, clampedTo }: Marker) => [
				...[label, offsetSeconds, clampedTo],
			]);
		for (const [, offset, clamped] of (await placed()).filter(([label]: [string]) => label !== "long ago")) {
			expect(offset).toBeLessThan(3_000);
			expect(clamped).toBeNull();
		}
		// Only 4 s were recorded, whatever the clock said in the meantime.
		await api()
			.app.db.updateTable("job")
			.set({ startedAt: Date.parse(live.startedAt) - 60_000 })
			.execute();
		await runner.send(jobId, video.length, Buffer.alloc(0), video.length);
		await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		const job = await dashboard.api.waitFor(jobId, "playable");
		await runner.stop();
		const end = job.recording?.durationSeconds;
		expect(end).toBe(VIDEO_SECONDS);
		expect(
			Object.fromEntries((await placed()).map(([label, ...place]: [string, ...unknown[]]) => [label, place])),
		).toEqual({
			"long ago": [0, "start"],
			"at the start": [end, "end"],
			...{
				soon: [end, "end"],
				"by the runner": [end, "end"],
				"by a skewed runner": [end, "end"],
				"of a report": [end, "end"],
			},
		});
		// The frame of the failure is the last one.
		const headers = { authorization: `Bearer ${TEST_API_KEY}` };
		const frame = await fetch(`${api().url}/v1/recordings/${job.recording?.id}/frame?of=failure`, { headers });
		expect(frame.headers.get("content-type")).toBe("image/jpeg");
	});
});
