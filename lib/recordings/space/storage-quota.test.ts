/** How large a file may be, and how much an organization's recordings may take. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { connect } from "#test/api-client.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { makeVideo as makeLargeVideo } from "#test/videos/made-video.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "../../contract/upload-events.ts";
import type { Context } from "../../core/context.ts";
import { makeVideo, removeTestFolder } from "../../../test/videos/make-video.ts";
import { contextFor } from "../../server/app-context.ts";
import { readEnv } from "../../server/env.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "../../../test/api-server.ts";
import { storageWatch } from "../disk-room.ts";
import { metadata } from "../../../test/tus-client.ts";

const MB = 1e6;
let video: Buffer;
let large: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4"));
	large = await makeLargeVideo({ bytes: 6 * MB });
});
afterAll(removeTestFolder);

const until = <T>(condition: () => T | Promise<T>) => vi.waitFor(condition, { timeout: 10_000, interval: 20 });

test("a file has at most 20480 MB and an organization any number of bytes, unless told otherwise", () => {
	expect(readEnv({}).quotas).toMatchObject({ uploadBytes: 20_480 * MB, organizationBytes: 0 });
	const told = readEnv({ TAPEDECK_LIMIT_UPLOAD_MB: "0", TAPEDECK_LIMIT_ORGANIZATION_GB: "0.5" });
	expect(told.quotas).toMatchObject({ uploadBytes: 0, organizationBytes: 500 * MB });
	expect(() => readEnv({ TAPEDECK_LIMIT_ORGANIZATION_GB: "1,5" })).toThrow("such as 500 or 0.5");
});

onEachDatabase((api) => {
	let runner: ScriptedRunner;
	let runners = 0;
	beforeEach(async () => {
		runners += 1;
		runner = await scriptRunner(
			{ url: api().url, api: connect(api().url, TEST_API_KEY), runnerToken: TEST_RUNNER_TOKEN },
			`runner ${runners}`,
		);
	});
	afterEach(async () => {
		Object.assign(api().app.quotas, { uploadBytes: 0, organizationBytes: 0 });
		await runner.stop();
		// As if all of them had been given up.
		await api().app.db.updateTable("recording").set({ state: "partial" }).where("state", "=", "live").execute();
		await api().app.db.updateTable("job").set({ status: "failed" }).execute();
		await api().call("GET", "/v1/storage");
		for (const { id } of (await api().call("GET", "/v1/recordings?limit=100")).body.data) {
			await api().call("DELETE", `/v1/recordings/${id}`);
		}
		await api().app.db.deleteFrom("heldRoom").execute();
	});

	const tus = { "tus-resumable": "1.0.0" };
	const begin = (headers: Record<string, string>) =>
		api().call("POST", "/v1/uploads", {
			headers: { ...tus, "upload-metadata": metadata({ filetype: "video/mp4" }), ...headers },
		});
	const announce = (bytes: number) => begin({ "upload-length": String(bytes) });
	const patch = (path: string, offset: number, raw: Buffer, headers: Record<string, string> = {}) =>
		api().call("PATCH", path, {
			headers: {
				...tus,
				"content-type": "application/offset+octet-stream",
				"upload-offset": String(offset),
				...headers,
			},
			raw,
		});
	const upload = (raw: Buffer) =>
		api().call("POST", "/v1/recordings?name=Whole", { headers: { "content-type": "video/mp4" }, raw });
	const storage = async () => (await api().call("GET", "/v1/storage")).body;
	const stored = async () =>
		(await api().app.db.selectFrom("recording").select("bytes").execute()).reduce((sum, row) => sum + row.bytes, 0);
	/** Sends headers, and a body only as told. */
	const sendSlowly = (headers: Record<string, string | number>, body: Buffer | null) =>
		new Promise<{ status: number; text: string }>((resolve, reject) => {
			const req = request(
				`${api().url}/v1/recordings?name=x`,
				{
					method: "POST",
					headers: { authorization: `Bearer ${TEST_API_KEY}`, "content-type": "video/mp4", ...headers },
				},
				(res) => {
					let text = "";
					res.on("data", (chunk) => {
						text += chunk;
					});
					res.on("end", () => resolve({ status: res.statusCode ?? 0, text }));
				},
			);
			req.on("error", reject);
			req.flushHeaders();
			if (body !== null) req.write(body);
		});

	test("a file that is too large is refused before its bytes are sent, and the bound is told", async () => {
		api().app.quotas.uploadBytes = 2 * MB;
		const refused = await announce(2 * MB + 1);
		expect([refused.status, refused.body]).toEqual([
			413,
			expect.stringMatching(/^A file may have at most 2 MB here\./),
		]);
		const options = async (token: string) =>
			(await api().call("OPTIONS", "/v1/uploads", { token, headers: tus })).headers.get("tus-max-size");
		expect([await options(TEST_API_KEY), await options(TEST_RUNNER_TOKEN)]).toEqual([String(2 * MB), null]);
		expect((await announce(2 * MB)).status).toBe(201);
		expect(await storage()).toMatchObject({ maxUploadBytes: 2 * MB, quotaBytes: null });
		const whole = await sendSlowly({ "content-length": 2 * MB + 1 }, null);
		expect([whole.status, JSON.parse(whole.text).code]).toEqual([413, "payload_too_large"]);
		expect(JSON.parse(whole.text).detail).toMatch(/at most 2 MB/);
		api().app.quotas.uploadBytes = 0;
		expect((await announce(2 * MB + 1)).status).toBe(201);
		expect(await options(TEST_API_KEY)).toBeNull();
	});

	test("a file whose length is not told beforehand ends at the bound", async () => {
		api().app.quotas.uploadBytes = 2 * MB;
		const path = (await begin({ "upload-defer-length": "1" })).headers.get("location") ?? "";
		expect((await patch(path, 0, large.subarray(0, MB))).status).toBe(204);
		expect((await patch(path, MB, large.subarray(MB, 3 * MB))).status).toBe(413);
		expect((await patch(path, MB, Buffer.alloc(0), { "upload-length": String(2 * MB + 1) })).status).toBe(413);
		const head = await api().call("HEAD", path, { headers: tus });
		expect(Number(head.headers.get("upload-offset"))).toBe(MB);
		const chunked = await sendSlowly({ "transfer-encoding": "chunked" }, large.subarray(0, 3 * MB));
		expect([chunked.status, JSON.parse(chunked.text).code]).toEqual([413, "payload_too_large"]);
		expect((await api().call("DELETE", path, { headers: tus })).status).toBe(204);
	});

	test("what a runner has recorded is taken, however large it is", async () => {
		api().app.quotas.uploadBytes = 1_000;
		const id = await runner.record("Larger than any file");
		expect(await runner.send(id, 0, video, video.length)).toBe(204);
		await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		expect((await api().call("GET", `/v1/jobs/${id}`)).body).toMatchObject({
			status: "completed",
			recording: { state: "ready" },
		});
	});

	test("what an organization uses is known without counting, and follows every change", async () => {
		expect((await storage()).usedBytes).toBe(0);
		const { id } = (await upload(video)).body;
		await upload(large);
		expect(await storage()).toMatchObject({ usedBytes: video.length + large.length, quotaBytes: null, state: "ok" });
		const job = await runner.record("Grows");
		await runner.send(job, 0, video.subarray(0, 10_000));
		await runner.send(job, 10_000, video.subarray(10_000), video.length);
		expect((await storage()).usedBytes).toBe(await stored());
		await api().call("DELETE", `/v1/recordings/${id}`);
		expect((await storage()).usedBytes).toBe(video.length + large.length);
		const rows = await api().app.db.selectFrom("organizationUse").select("bytes").where("bytes", ">", 0).execute();
		expect(rows).toEqual([{ bytes: await stored() }]);
	});

	test("a file without room in the organization is refused before its bytes, and uploads under way hold theirs", async () => {
		api().app.quotas.organizationBytes = 16 * MB;
		expect((await upload(large)).status).toBe(201);
		const both = await Promise.all([announce(large.length), announce(large.length)]);
		expect(both.map(({ status }) => status).sort()).toEqual([201, 507]);
		const refused = both.find(({ status }) => status === 507);
		expect(refused?.body).toMatch(/^The file has 6 MB, and your organization has room for 4 MB of the 16 MB/);
		expect((await storage()).usedBytes).toBe(2 * large.length);
		const whole = await sendSlowly({ "content-length": 5 * MB }, null);
		expect([whole.status, JSON.parse(whole.text).code]).toEqual([507, "quota_exceeded"]);

		// What has its room is not refused, whatever comes meanwhile; and it is not counted twice.
		const path = both.find(({ status }) => status === 201)?.headers.get("location") ?? "";
		expect((await patch(path, 0, large.subarray(0, MB))).status).toBe(204);
		expect((await storage()).usedBytes).toBe(2 * large.length);
		const id = await runner.record("Takes what is left");
		expect(await runner.send(id, 0, randomBytes(5 * MB))).toBe(507);
		expect((await patch(path, MB, large.subarray(MB))).status).toBe(204);
		const { usedBytes } = await storage();
		expect(usedBytes).toBeGreaterThan(15 * MB);
		expect(usedBytes).toBeLessThanOrEqual(16 * MB);
	});

	test("an upload that is ended gives back what it held", async () => {
		api().app.quotas.organizationBytes = 16 * MB;
		const path = (await announce(16 * MB)).headers.get("location") ?? "";
		expect((await announce(1)).status).toBe(507);
		expect((await api().call("DELETE", path, { headers: tus })).status).toBe(204);
		expect((await storage()).usedBytes).toBe(0);
		// So does one that turns out to be no video.
		const text = Buffer.alloc(1_000, "words");
		const broken = (await announce(text.length)).headers.get("location") ?? "";
		expect((await patch(broken, 0, text)).status).toBe(422);
		expect((await upload(text)).status).toBe(422);
		expect((await storage()).usedBytes).toBe(0);
		expect((await announce(16 * MB)).status).toBe(201);
	});

	test("a runner's recording waits for room, the job and the pages say so, and it goes on when there is room", async () => {
		api().app.quotas.organizationBytes = 8 * MB;
		const { id: oldest } = (await upload(large)).body;
		const told: (string | null)[] = [];
		const events = request(
			`${api().url}/v1/events`,
			{ headers: { authorization: `Bearer ${TEST_API_KEY}` } },
			(res) => {
				let text = "";
				res.on("data", (chunk) => {
					text += chunk;
					const states = [...text.matchAll(/event: storage\ndata: (.*)\n/g)].map(
						(one) => JSON.parse(one[1] ?? "{}").waitsFor,
					);
					told.splice(0, told.length, ...states);
				});
				res.on("error", () => {});
			},
		);
		events.on("error", () => {});
		events.end();
		const job = await runner.record("Waits for the quota");
		const bytes = randomBytes(4 * MB);
		expect(await runner.send(job, 0, bytes)).toBe(507);
		expect(await storage()).toMatchObject({ state: "full", waitsFor: "quota", quotaBytes: 8 * MB });
		// What a test before has left over may end first.
		const toldSinceFull = () => told.slice(told.indexOf("quota"));
		await until(() => expect(toldSinceFull()).toEqual(["quota"]));
		const waits = async () =>
			(await connect(api().url, TEST_API_KEY).events(job)).filter(({ type }) => type.startsWith("upload_"));
		expect(await waits()).toMatchObject([{ type: UPLOAD_WAITING, data: { waitsFor: "quota" } }]);
		// Everything else goes on, and what came in before is not lost.
		expect((await api().call("GET", "/v1/jobs")).status).toBe(200);
		const { usedBytes } = await storage();
		expect(usedBytes).toBeLessThanOrEqual(8 * MB);
		const offset = usedBytes - large.length;

		expect((await api().call("DELETE", `/v1/recordings/${oldest}`)).status).toBe(204);
		await until(() => expect(toldSinceFull()).toEqual(["quota", null]));
		await until(async () => expect(await runner.send(job, offset, bytes.subarray(offset), bytes.length)).toBe(204));
		expect((await waits()).map(({ type }) => type)).toEqual([UPLOAD_WAITING, UPLOAD_GOES_ON]);
		expect((await storage()).usedBytes).toBe(bytes.length);
		events.destroy();
	});

	test("what was told of the room is made good, also when it changed between the look and the telling", async () => {
		const { id } = (await upload(large)).body;
		const told: (string | null)[] = [];
		let bounds: number[] = [];
		const ctx: Context = {
			...contextFor(api().app, { kind: "system", organizationId: 0 }),
			facts: {
				publish: (fact) => void (fact.type === "storage" && told.push(fact.storage.waitsFor)),
				subscribe: () => () => undefined,
			},
			// As if what is stored had changed: each look at the bound finds another one.
			quotas: {
				uploadBytes: 0,
				queuedJobs: 0,
				get organizationBytes() {
					return (bounds.length > 1 ? bounds.shift() : bounds[0]) ?? 0;
				},
			},
		};
		const look = (...found: number[]) => {
			bounds = found;
			return watch(ctx);
		};
		const watch = storageWatch();
		await look(1);
		expect(told).toEqual(["quota"]);
		// There is room at the look, and none any more when it is told.
		await look(0, 1);
		expect(told).toEqual(["quota", "quota"]);
		await look(1);
		expect(told).toEqual(["quota", "quota"]);
		await look(0);
		expect(told).toEqual(["quota", "quota", null]);
		await look(0);
		expect(told).toHaveLength(3);
		expect((await api().call("DELETE", `/v1/recordings/${id}`)).status).toBe(204);
	});

	test("uploads that come piece by piece at once do not exceed the quota together", async () => {
		api().app.quotas.organizationBytes = 8 * MB;
		const jobs = [await runner.record("One of several"), await runner.record("Another of several")];
		const statuses = await Promise.all(jobs.map((id) => runner.send(id, 0, randomBytes(6 * MB))));
		expect(statuses).toContain(507);
		expect((await storage()).usedBytes).toBeLessThanOrEqual(8 * MB);
		const path = (await begin({ "upload-defer-length": "1" })).headers.get("location") ?? "";
		expect(await patch(path, 0, randomBytes(2 * MB))).toMatchObject({
			status: 507,
			body: /recordings take all of the 8 MB/,
		});
	});
});
