import { readFile } from "node:fs/promises";
import { recordingPageSchema, recordingSchema } from "@tapedeck/contract/recording.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { SimulatedRunner } from "#test/runners/simulated-runner.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4"));
});
afterAll(removeTestFolder);

onOneDatabase((api) => {
	const upload = (
		query = "?name=From%20elsewhere",
		headers: Record<string, string> = { "content-type": "video/mp4" },
	) => api().call("POST", `/v1/recordings${query}`, { raw: video, headers });

	test("an uploaded video is listed, read, played, pinned and deleted through the API", async () => {
		const created = await upload();
		expect([created.status, created.headers.get("location")]).toEqual([201, `/v1/recordings/${created.body.id}`]);
		const recording = recordingSchema.parse(created.body);
		const path = `/v1/recordings/${recording.id}`;
		expect((await api().call("GET", path)).body).toEqual(created.body);
		expect(recordingPageSchema.parse((await api().call("GET", "/v1/recordings?q=elsewhere")).body).data).toHaveLength(
			1,
		);
		const head = await api().call("HEAD", `${path}/video`);
		expect([head.status, head.headers.get("accept-ranges"), head.body]).toEqual([200, "bytes", null]);
		const part = await api().call("GET", `${path}/video`, { headers: { range: "bytes=4-7" } });
		expect([part.status, part.body]).toEqual([206, "ftyp"]);
		const beyond = await api().call("GET", `${path}/video`, { headers: { range: "bytes=99999999-" } });
		expect([beyond.status, beyond.body.code, beyond.headers.get("content-range")]).toEqual([
			416,
			"range_not_satisfiable",
			`bytes */${head.headers.get("content-length")}`,
		]);
		expect((await api().call("GET", `${path}/live?from=start`)).headers.get("content-type")).toMatch(
			/^video\/mp4; codecs=/,
		);
		expect((await api().call("GET", `${path}/poster`)).headers.get("content-type")).toBe("image/jpeg");
		expect((await api().call("PATCH", path, { body: { pinned: true } })).body.pinned).toBe(true);
		expect((await api().call("DELETE", path)).status).toBe(204);
		for (const deletedPath of [path, `${path}/video`, `${path}/live`, `${path}/poster`]) {
			expect((await api().call("GET", deletedPath)).status).toBe(404);
		}
	});

	test("a frame that is asked for without a moment, or by a wrong one, is refused with the parameter at fault", async () => {
		const path = `/v1/recordings/${(await upload()).body.id}`;
		for (const [query, parameter] of [
			["at=now", "at"],
			["", "at"],
			["at=1&of=failure", "at"],
			["of=success", "of"],
		]) {
			const { status, body } = await api().call("GET", `${path}/frame?${query}`);
			expect([status, body.errors[0].path]).toEqual([422, parameter]);
		}
		expect((await api().call("DELETE", path)).status).toBe(204);
	});

	test("an unsupported version of tus is refused with 412 and the supported one, and starts no upload", async () => {
		for (const [method, path] of [
			["POST", "/v1/uploads"],
			["HEAD", "/v1/uploads/none"],
			["PATCH", "/v1/uploads/none"],
		] as const) {
			const headers = { "tus-resumable": "0.2.2", "upload-length": "10" };
			const answer = await api().call(method, path, { headers });
			expect([answer.status, answer.headers.get("tus-version"), answer.headers.get("location")]).toEqual([
				412,
				"1.0.0",
				null,
			]);
		}
	});

	test("every invalid call of the media routes gets its own error, as a problem document", async () => {
		const problem = async (answer: ReturnType<TestApi["call"]>) => {
			const { status, body, headers } = await answer;
			expect(headers.get("content-type")).toBe("application/problem+json");
			return [status, body.code, body.errors?.[0]?.path];
		};
		expect(await problem(upload(""))).toEqual([422, "validation_failed", "name"]);
		expect(await problem(upload("?name=%20"))).toEqual([422, "validation_failed", "name"]);
		expect(await problem(upload("?name=x", { "content-type": "image/png" }))).toEqual([
			415,
			"unsupported_media_type",
			undefined,
		]);
		const text = { raw: "no video at all, only words", headers: { "content-type": "video/mp4" } };
		expect(await problem(api().call("POST", "/v1/recordings?name=x", text))).toEqual([422, "invalid_video", undefined]);
		for (const path of ["/v1/recordings/1x/video", "/v1/recordings/0", "/v1/recordings/999999/poster"]) {
			expect(await problem(api().call("GET", path))).toEqual([404, "not_found", undefined]);
		}
		const { id } = (await upload()).body;
		expect(await problem(api().call("GET", `/v1/recordings/${id}/video?download=yes`))).toEqual([
			422,
			"validation_failed",
			"download",
		]);
		expect(await problem(api().call("GET", `/v1/recordings/${id}/live?from=end`))).toEqual([
			422,
			"validation_failed",
			"from",
		]);
		expect(await problem(api().call("PATCH", `/v1/recordings/${id}`, { body: { pinned: 1 } }))).toEqual([
			422,
			"validation_failed",
			"pinned",
		]);
		expect(await problem(api().call("PATCH", `/v1/recordings/${id}`, { body: { pinned: true, title: "y" } }))).toEqual([
			422,
			"validation_failed",
			"title",
		]);
		expect(await problem(api().call("GET", "/v1/recordings?limit=0"))).toEqual([422, "validation_failed", "limit"]);
		expect(await problem(api().call("GET", "/v1/recordings?cursor=x"))).toEqual([422, "validation_failed", "cursor"]);
		expect(await problem(api().call("GET", `/v1/recordings/${id}/video`, { token: null }))).toEqual([
			401,
			"unauthorized",
			undefined,
		]);
		expect(await problem(api().call("GET", `/v1/recordings/${id}/video`, { token: TEST_RUNNER_TOKEN }))).toEqual([
			403,
			"forbidden",
			undefined,
		]);
		expect(await problem(api().call("POST", `/v1/recordings/${id}/video`))).toEqual([
			405,
			"method_not_allowed",
			undefined,
		]);
		expect(await problem(api().call("PUT", "/v1/retention", { body: { maxAgeDays: 0 } }))).toEqual([
			422,
			"validation_failed",
			"maxAgeDays",
		]);
		expect((await api().call("GET", "/v1/recordings")).body.data).toHaveLength(1);
		await api().call("DELETE", `/v1/recordings/${id}`);
	});

	test("keys can read the retention policy, and set it with the scope for settings", async () => {
		const defaults = { maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null };
		expect((await api().call("GET", "/v1/retention")).body).toMatchObject(defaults);
		const other = { ...defaults, maxAgeDays: 31 };
		expect((await api().call("PUT", "/v1/retention", { body: other })).body).toMatchObject(other);
		expect((await api().call("PUT", "/v1/retention", { body: defaults })).body).toMatchObject(defaults);
	});

	test("a runner's job goes from its start over a tus upload to a playable video and a completed job", async () => {
		const runner = new SimulatedRunner({ url: api().url, runnerToken: TEST_RUNNER_TOKEN }, "box");
		const { runnerId } = await runner.signIn();
		const body = { runnerId, displayId: ":99", name: "Checkout", stopCondition: "interrupt" };
		const job = (await api().call("POST", "/v1/jobs", { body })).body;
		await runner.sync();
		const started = await runner.report(job.id, { type: "recording", width: 160, height: 120 });
		expect(started[0]?.status).toBe("recording");
		expect((await runner.upload("POST", job)).status).toBe(201);
		const patch = (offset: number, bytes: Buffer, headers: Record<string, string> = {}) =>
			runner.upload("PATCH", job, { "upload-offset": String(offset), ...headers }, bytes);
		expect((await patch(0, video)).status).toBe(204);
		const live = (await api().call("GET", `/v1/jobs/${job.id}`)).body.recording;
		expect(live).toMatchObject({ state: "live" });
		expect((await api().call("DELETE", `/v1/recordings/${live.id}`)).status).toBe(409);
		expect((await patch(5, video)).status).toBe(409);
		const stopped = await runner.report(job.id, { type: "stopped", stopReason: "cancelled" });
		expect(stopped[0]?.status).toBe("uploading");
		const end = await patch(video.length, Buffer.alloc(0), { "upload-length": String(video.length) });
		expect(end.status).toBe(204);
		const ended = (await api().call("GET", `/v1/jobs/${job.id}?waitFor=playable`)).body;
		expect(ended).toMatchObject({
			status: "completed",
			recording: { state: "ready", durationSeconds: 4 },
		});
		const download = await api().call("GET", `/v1/recordings/${live.id}/video`);
		expect([download.status, Number(download.headers.get("content-length"))]).toEqual([200, ended.recording.bytes]);
	});
});
