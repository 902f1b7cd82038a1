/** Video options of a job and its organization: the options its runner gets, and those shown with the recording. */
import { afterEach, expect, test } from "vitest";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner } from "#test/runners/protocol-runner.ts";

const DEFAULTS = { keep: "always", graceSeconds: 3_600, maxDurationSeconds: null, commitUrlTemplate: null };
const USED = { preset: "small", framesPerSecond: 5, cursor: true, crf: 33, maxWidth: 1280 } as const;

onOneDatabase((api) => {
	const runner = protocolRunner(api);
	const ofOrganization = (video: object | undefined) =>
		api().call("PUT", "/v1/recording-settings", { body: { ...DEFAULTS, video } });
	afterEach(() => ofOrganization({}));

	test("a job's options come before the organization's, field by field, and go to its runner together", async () => {
		expect((await ofOrganization({ preset: "small", framesPerSecond: 5, maxBitrate: 500_000 })).status).toBe(200);
		const { id, video } = await runner.createJob({ video: { framesPerSecond: 30, cursor: false } });
		const together = { preset: "small", framesPerSecond: 30, maxBitrate: 500_000, cursor: false };
		expect(video).toEqual(together);
		expect((await runner.sync()).start).toEqual([expect.objectContaining({ id, video: together })]);
	});

	test("a region goes to the runner, and stands on the recording that used it", async () => {
		const region = { x: 100, y: 50, width: 801, height: 601 };
		const { id, video } = await runner.createJob({ video: { region } });
		expect(video).toEqual({ region });
		expect((await runner.sync()).start).toEqual([expect.objectContaining({ id, video: { region } })]);
		await runner.storeRecording(id, "live");
		await runner.report(id, { ...firstFrame, video: { ...USED, region } });
		expect((await runner.readJob(id)).recording?.video).toEqual({ ...USED, region });
	});

	test("the preset of a job brings its own quality, instead of the organization's", async () => {
		await ofOrganization({ crf: 40 });
		expect((await runner.createJob({ video: { preset: "sharp" } })).video).toEqual({ preset: "sharp" });
		expect((await runner.createJob({ video: { framesPerSecond: 2 } })).video).toEqual({ framesPerSecond: 2, crf: 40 });
	});

	test("a job for whichever runner fits has the organization's options too", async () => {
		await ofOrganization({ maxWidth: 640 });
		const body = { selector: { display: ":99" }, stopCondition: "interrupt", video: { crf: 20 } };
		const { status, body: job } = await api().call("POST", "/v1/jobs", { body });
		expect([status, job.video]).toEqual([201, { maxWidth: 640, crf: 20 }]);
		await api().call("POST", `/v1/jobs/${job.id}/cancel`);
	});

	test("the runner decides when neither the job nor the organization asks for anything", async () => {
		const { id, video } = await runner.createJob();
		expect(video).toEqual({});
		const [job] = (await runner.sync()).start;
		expect(job).toMatchObject({ id });
		expect(job).not.toHaveProperty("video");
	});

	test("a change of the organization's options leaves queued jobs as they are", async () => {
		await ofOrganization({ framesPerSecond: 5 });
		const { id } = await runner.createJob();
		await ofOrganization({ framesPerSecond: 10 });
		expect((await runner.sync()).start).toEqual([expect.objectContaining({ id, video: { framesPerSecond: 5 } })]);
	});

	test("a runner learns the organization's options when it signs in, and with every poll", async () => {
		await ofOrganization({ framesPerSecond: 5 });
		expect((await api().signIn("box-with-options")).video).toEqual({ framesPerSecond: 5 });
		expect((await runner.sync()).video).toEqual({ framesPerSecond: 5 });
		await ofOrganization({ maxWidth: 640 });
		expect((await runner.sync()).video).toEqual({ maxWidth: 640 });
		await ofOrganization({});
		expect((await runner.sync()).video ?? {}).toEqual({});
	});

	test("settings without video leave the organization's options as they are", async () => {
		await ofOrganization({ framesPerSecond: 5 });
		expect((await ofOrganization(undefined)).body).toEqual({ ...DEFAULTS, video: { framesPerSecond: 5 } });
		expect((await api().call("GET", "/v1/recording-settings")).body).toMatchObject({ video: { framesPerSecond: 5 } });
	});

	test("the recording has the options that were used, whether its upload began before or after the report", async () => {
		const { id } = await runner.startJob({ video: { framesPerSecond: 5 } });
		const recordingId = await runner.storeRecording(id, "live");
		expect((await runner.readJob(id)).recording?.video).toBeNull();
		await runner.report(id, { ...firstFrame, video: USED });
		expect((await runner.readJob(id)).recording?.video).toEqual(USED);
		expect((await api().call("GET", `/v1/recordings/${recordingId}`)).body.video).toEqual(USED);
	});

	test.each([
		[1, 201],
		[15, 422],
	])("at %i frames a second, a marker 0.8 s behind the last frame is answered with %i", async (framesPerSecond, expected) => {
		const { id } = await runner.startJob();
		await runner.report(id, { ...firstFrame, video: { ...USED, framesPerSecond } });
		// It is 3 s long.
		await runner.storeRecording(id, "ready");
		const { startedAt } = await runner.readJob(id);
		const at = new Date(Date.parse(startedAt ?? "") + 3_800).toISOString();
		const body = { label: "The end", kind: "note", at };
		expect((await api().call("POST", `/v1/jobs/${id}/markers`, { body })).status).toBe(expected);
	});

	test("a runner that does not report what it used, or reports something unknown, records all the same", async () => {
		for (const video of [undefined, { preset: "holographic" }]) {
			const { id } = await runner.startJob();
			await runner.storeRecording(id, "live");
			await runner.report(id, { ...firstFrame, video } as never);
			expect(await runner.readJob(id)).toMatchObject({ status: "recording", recording: { video: null } });
		}
	});

	test.each([
		["framesPerSecond", 0, /whole number from 1 to 60/],
		["framesPerSecond", 61, /whole number from 1 to 60/],
		["framesPerSecond", 0.5, /whole number from 1 to 60/],
		["framesPerSecond", "15", /whole number from 1 to 60/],
		["preset", "best", /one of balanced, sharp, small/],
		["maxWidth", 1281, /even number of pixels from 16/],
		["maxHeight", 14, /even number of pixels from 16/],
		["crf", 52, /whole number from 0/],
		["maxBitrate", 1_000, /bits per second from 50000/],
		["cursor", "no", /true or false/],
		["window", "", /part of the window's title or as its id/],
		["window", "two\nlines", /without line breaks/],
		["window", 7, /part of the window's title or as its id/],
		["fps", 15, /Unknown field/],
	])("video.%s %j is refused at its own path, with what to send instead, of a job and of settings", async (field, value, sentence) => {
		const video = { [field]: value };
		const job = { runnerId: runner.runnerId, displayId: ":99", stopCondition: "interrupt", video };
		for (const refused of [await api().call("POST", "/v1/jobs", { body: job }), await ofOrganization(video)]) {
			expect(refused.status).toBe(422);
			expect(refused.body.errors).toEqual([
				expect.objectContaining({ path: `video.${field}`, message: expect.stringMatching(sentence) }),
			]);
		}
	});

	test.each([
		["region.width", { x: 0, y: 0, width: 15, height: 600 }, /width as a whole number of pixels from 16/],
		["region.height", { x: 0, y: 0, width: 800, height: 0 }, /height as a whole number of pixels from 16/],
		["region.x", { x: -1, y: 0, width: 800, height: 600 }, /x as a whole number of pixels from 0/],
		["region.y", { x: 0, y: 0.5, width: 800, height: 600 }, /y as a whole number of pixels from 0/],
		["region", "800x600", /region as an object with x, y, width and height/],
	])("what is wrong with a region is refused at video.%s", async (path, region, sentence) => {
		const { status, body } = await ofOrganization({ region });
		expect([status, body.errors]).toEqual([
			422,
			[expect.objectContaining({ path: `video.${path}`, message: expect.stringMatching(sentence) })],
		]);
	});

	test("a region beside a window is refused: both say what is shown", async () => {
		const { status, body } = await ofOrganization({ window: "Shop", region: { x: 0, y: 0, width: 800, height: 600 } });
		expect([status, body.errors]).toEqual([
			422,
			[expect.objectContaining({ path: "video.window", message: "Send either region or window." })],
		]);
	});

	test("a window of a job counts instead of the organization's region", async () => {
		await ofOrganization({ region: { x: 0, y: 0, width: 800, height: 600 } });
		expect((await runner.createJob({ video: { window: " Shop " } })).video).toEqual({ window: "Shop" });
	});

	test.each([[15], ["sharp"], [[]], [null]])("video %j is refused: it is an object", async (video) => {
		const job = { runnerId: runner.runnerId, displayId: ":99", stopCondition: "interrupt", video };
		const { status, body } = await api().call("POST", "/v1/jobs", { body: job });
		expect([status, body.errors]).toEqual([
			422,
			[expect.objectContaining({ path: "video", message: expect.stringContaining("Send video as an object") })],
		]);
	});

	test("a crf beside a preset is no contradiction: it counts instead of the preset's", async () => {
		const video = { preset: "sharp", crf: 30 };
		expect((await runner.createJob({ video })).video).toEqual(video);
	});
});
