/** The limit on file size and the storage quota of an organization. */

import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { UPLOAD_GOES_ON, UPLOAD_WAITING } from "@tapedeck/contract/recording-kinds.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { readEnv } from "#lib/server/env.ts";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { inExplore } from "#test/in-explore.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import { metadata } from "#test/tus-client.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { until } from "#test/wait.ts";
import { usedUpOrganizations } from "./storage-quota.ts";
import { storageWatch } from "./storage-status.ts";

const MB = 1e6;
let video: Buffer;
let large: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4"));
	large = await makeExternalVideo({ bytes: 6 * MB });
});
afterAll(removeTestFolder);

test("by default a file may have 20480 MB, and an organization has no quota", () => {
	expect(readEnv({}).quotas).toMatchObject({ uploadBytes: 20_480 * MB, organizationBytes: 0 });
	const configured = readEnv({ TAPEDECK_LIMIT_UPLOAD_MB: "0", TAPEDECK_LIMIT_ORGANIZATION_GB: "0.5" });
	expect(configured.quotas).toMatchObject({ uploadBytes: 0, organizationBytes: 500 * MB });
	expect(() => readEnv({ TAPEDECK_LIMIT_ORGANIZATION_GB: "1,5" })).toThrow("such as 500 or 0.5");
});

test("the database is not asked for used storage when no organization has a quota", async () => {
	const { quotas } = readEnv({ TAPEDECK_LIMIT_QUEUED_JOBS: "100,7=5" });
	const withoutDatabase = { quotas } as RecordingContext;
	expect(await usedUpOrganizations(withoutDatabase)).toEqual(new Set());
	const { quotas: ofOne } = readEnv({ TAPEDECK_LIMIT_ORGANIZATION_GB: "0,7=5" });
	await expect(usedUpOrganizations({ ...withoutDatabase, quotas: ofOne })).rejects.toThrow();
});

onEachDatabase((api) => {
	let runner: ScriptedRunner;
	let runners = 0;
	/** Trash period of the organization; most tests delete permanently. */
	const keepTrash = (trashHours: number) =>
		api()
			.app.db.insertInto("retention")
			.values({ organizationId: 1, maxAgeDays: null, maxDiskPercent: null, maxBytes: null, trashHours })
			.onConflict((on) => on.column("organizationId").doUpdateSet({ trashHours }))
			.execute();
	beforeAll(async () => void (await keepTrash(0)));
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
		await api().app.db.updateTable("job").set({ status: "failed" }).execute();
		await until(async () => {
			// As if all of them had been abandoned. One whose last bytes are just being noted is live again.
			await api().app.db.updateTable("recording").set({ state: "partial" }).where("state", "=", "live").execute();
			await api().call("GET", "/v1/storage");
			const list = () => api().call("GET", "/v1/recordings?limit=100");
			for (const { id } of (await list()).body.data) await api().call("DELETE", `/v1/recordings/${id}`);
			return (await list()).body.data.length === 0;
		}, "all recordings are deleted");
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
	/** Sends headers, and a body only if given. */
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

	test("a file that is too large is refused before its body is sent, with the limit in the message", async () => {
		api().app.quotas.uploadBytes = 2 * MB;
		const refused = await announce(2 * MB + 1);
		expect([refused.status, refused.body]).toEqual([413, expect.stringMatching(/^Files can be at most 2 MB\./)]);
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

	test("a file of unknown length is cut off at the limit", async () => {
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

	test("a runner's recording is accepted, however large", async () => {
		api().app.quotas.uploadBytes = 1_000;
		const id = await runner.record("Larger than any file");
		expect(await runner.send(id, 0, video, video.length)).toBe(204);
		await runner.report(id, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		expect((await api().call("GET", `/v1/jobs/${id}`)).body).toMatchObject({
			status: "completed",
			recording: { state: "ready" },
		});
	});

	test("an organization's usage is known without counting, and follows every change", async () => {
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

	test("markers and triage entries count towards the quota, which refuses more of them, and are free when they are deleted", async () => {
		const { id } = (await upload(video)).body;
		const used = async () => (await storage()).usedBytes - video.length;
		const message = "é".repeat(4_000);
		const markers = `/v1/recordings/${id}/markers`;
		const body = { label: "pay", kind: "note", message, offsetSeconds: 1 };
		const marker = await api().call("POST", markers, { body });
		expect(marker.status).toBe(201);
		expect(await used()).toBe(100 + 3 + 8_000);
		const batch = await api().call("POST", `${markers}/batch`, { body: { markers: [body, body] } });
		expect(batch.status).toBe(201);
		expect(await used()).toBe(3 * 8_103);
		const mute = { cause: "c".repeat(64), reason: "r".repeat(400), mutedUntil: new Date(Date.now() + 1e6) };
		const triage = () => api().call("PUT", "/v1/failure-triage", { body: mute });
		const before = await used();
		expect([(await triage()).status, (await used()) - before > 564]).toEqual([200, true]);
		const once = await used();
		expect([(await triage()).status, await used()]).toEqual([200, once]);
		api().app.quotas.organizationBytes = video.length + 16_000;
		expect((await api().call("POST", markers, { body })).status).toBe(507);
		expect((await api().call("POST", `${markers}/batch`, { body: { markers: [body] } })).status).toBe(507);
		expect((await triage()).status).toBe(507);
		await api().app.db.deleteFrom("failureTriage").execute();
		expect((await api().call("DELETE", `${markers}/${marker.body.id}`)).status).toBe(204);
		expect(await used()).toBe(2 * 8_103);
		await api().app.db.deleteFrom("recording").where("id", "=", id).execute();
		expect((await storage()).usedBytes).toBe(0);
	});

	test("a file over the storage quota is refused before its body, and uploads in progress reserve theirs", async () => {
		api().app.quotas.organizationBytes = 16 * MB;
		expect((await upload(large)).status).toBe(201);
		const both = await Promise.all([announce(large.length), announce(large.length)]);
		expect(both.map(({ status }) => status).sort()).toEqual([201, 507]);
		const refused = both.find(({ status }) => status === 507);
		expect(refused?.body).toMatch(
			/^The file is 6 MB, and your organization has 4 MB left of its storage quota of 16 MB/,
		);
		expect((await storage()).usedBytes).toBe(2 * large.length);
		const whole = await sendSlowly({ "content-length": 5 * MB }, null);
		expect([whole.status, JSON.parse(whole.text).code]).toEqual([507, "quota_exceeded"]);

		// An upload with a reservation is not refused, whatever else arrives, and not counted twice.
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

	test("uploads over the storage quota empty the trash first, no more of it than they need", async () => {
		await keepTrash(24);
		try {
			const ids = [(await upload(large)).body.id, (await upload(large)).body.id];
			for (const id of ids) await api().call("DELETE", `/v1/recordings/${id}`);
			expect((await storage()).usedBytes).toBe(2 * large.length);
			api().app.quotas.organizationBytes = 16 * MB;
			const restorable = async () =>
				(await api().call("GET", "/v1/deleted-recordings?restorable=1")).body.data.map((one: { id: number }) => one.id);
			// An upload that would not fit uses nothing of the quota.
			expect((await announce(17 * MB)).status).toBe(507);
			expect(await restorable()).toEqual([ids[1], ids[0]]);
			expect((await upload(large)).status).toBe(201);
			expect(await restorable()).toEqual([ids[1]]);
			const id = await runner.record("Takes the rest");
			expect(await runner.send(id, 0, randomBytes(8 * MB))).toBe(204);
			expect(await restorable()).toEqual([]);
		} finally {
			await keepTrash(0);
		}
	});

	inExplore(test)("a terminated upload releases its reservation", async () => {
		api().app.quotas.organizationBytes = 16 * MB;
		const path = (await announce(16 * MB)).headers.get("location") ?? "";
		expect((await announce(1)).status).toBe(507);
		expect((await api().call("DELETE", path, { headers: tus })).status).toBe(204);
		expect((await storage()).usedBytes).toBe(0);
		// So does one that isn't a video.
		const text = Buffer.alloc(1_000, "words");
		const broken = (await announce(text.length)).headers.get("location") ?? "";
		expect((await patch(broken, 0, text)).status).toBe(422);
		expect((await upload(text)).status).toBe(422);
		expect((await storage()).usedBytes).toBe(0);
		expect((await announce(16 * MB)).status).toBe(201);
	});

	test("a runner's recording waits for storage, the job and the pages show it, and it continues when there is space", async () => {
		api().app.quotas.organizationBytes = 8 * MB;
		const uploaded = await upload(large);
		expect([uploaded.status, uploaded.body]).toMatchObject([201, {}]);
		const { id: oldest } = uploaded.body;
		const published: (string | null)[] = [];
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
					published.splice(0, published.length, ...states);
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
		// The state left over from the previous test may be reported first.
		const publishedSinceFull = () => published.slice(published.indexOf("quota"));
		await expect.poll(publishedSinceFull).toEqual(["quota"]);
		const waits = async () =>
			(await connect(api().url, TEST_API_KEY).events(job)).filter(({ type }) => type.startsWith("upload_"));
		expect(await waits()).toMatchObject([{ type: UPLOAD_WAITING, data: { waitsFor: "quota" } }]);
		// Everything else keeps working, and bytes stored before are not lost.
		expect((await api().call("GET", "/v1/jobs")).status).toBe(200);
		const { usedBytes } = await storage();
		expect(usedBytes).toBeLessThanOrEqual(8 * MB);
		const offset = usedBytes - large.length;

		expect((await api().call("DELETE", `/v1/recordings/${oldest}`)).status).toBe(204);
		await expect.poll(publishedSinceFull).toEqual(["quota", null]);
		await expect.poll(() => runner.send(job, offset, bytes.subarray(offset), bytes.length)).toBe(204);
		expect((await waits()).map(({ type }) => type)).toEqual([UPLOAD_WAITING, UPLOAD_GOES_ON]);
		expect((await storage()).usedBytes).toBe(bytes.length);
		events.destroy();
	});

	inExplore(test)(
		"a published storage state is corrected, even if it changed between reading and publishing",
		async () => {
			const { id } = (await upload(large)).body;
			const published: (string | null)[] = [];
			let bounds: number[] = [];
			const ctx: RecordingContext = {
				...contextFor(api().app, { kind: "system", organizationId: 0 }),
				events: {
					delivered: 0,
					publish: (change) => void (change.type === "storage" && published.push(change.storage.waitsFor)),
					subscribe: () => () => undefined,
				},
				// Each read of the quota returns another value, as if the usage had changed.
				quotas: {
					uploadBytes: 0,
					queuedJobs: 0,
					get organizationBytes() {
						return (bounds.length > 1 ? bounds.shift() : bounds[0]) ?? 0;
					},
				},
			};
			const poll = (...found: number[]) => {
				bounds = found;
				return watch(ctx);
			};
			const watch = storageWatch();
			await poll(1);
			expect(published).toEqual(["quota"]);
			// There is space when it is read, and none when it is published.
			await poll(0, 1);
			expect(published).toEqual(["quota", "quota"]);
			await poll(1);
			expect(published).toEqual(["quota", "quota"]);
			await poll(0);
			expect(published).toEqual(["quota", "quota", null]);
			await poll(0);
			expect(published).toHaveLength(3);
			expect((await api().call("DELETE", `/v1/recordings/${id}`)).status).toBe(204);
		},
	);

	test("concurrent uploads in pieces do not exceed the quota together", async () => {
		api().app.quotas.organizationBytes = 8 * MB;
		const jobs = [await runner.record("One of several"), await runner.record("Another of several")];
		const statuses = await Promise.all(jobs.map((id) => runner.send(id, 0, randomBytes(6 * MB))));
		expect(statuses).toContain(507);
		expect((await storage()).usedBytes).toBeLessThanOrEqual(8 * MB);
		const path = (await begin({ "upload-defer-length": "1" })).headers.get("location") ?? "";
		expect(await patch(path, 0, randomBytes(2 * MB))).toMatchObject({
			status: 507,
			body: /recordings use all of its 8 MB/,
		});
	});
});
