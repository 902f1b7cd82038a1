import { beforeAll, expect, test } from "vitest";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

onOneDatabase((api) => {
	let runnerId: number;
	beforeAll(async () => {
		runnerId = (await api().signIn()).runnerId;
	});

	const interrupt = (over: Record<string, unknown> = {}) => ({
		runnerId,
		displayId: ":99",
		stopCondition: "interrupt",
		...over,
	});
	const create = async (over: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
		api().call("POST", "/v1/jobs", { body: interrupt(over), headers });

	test("creating a job returns 201 with its location and every field of the contract", async () => {
		const answer = await create({ name: "  checkout flow  ", type: "recording", stopConditionConfig: {} });
		expect(answer.status).toBe(201);
		expect(answer.headers.get("location")).toBe(`/v1/jobs/${answer.body.id}`);
		expect(answer.body).toEqual({
			id: expect.any(Number),
			organizationId: 1,
			runnerId,
			type: "recording",
			displayId: ":99",
			name: "checkout flow",
			selector: null,
			labels: {},
			outcome: null,
			keep: "always",
			pinned: false,
			maxDurationSeconds: null,
			stopCondition: "interrupt",
			stopConditionConfig: {},
			video: {},
			preSeconds: 0,
			status: "queued",
			stopReason: null,
			error: null,
			createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
			startedAt: null,
			stoppedAt: null,
			endedAt: null,
			cancelRequestedAt: null,
			createdBy: { kind: "apiKey", id: expect.any(Number), name: expect.any(String) },
			recording: null,
			deletedRecording: null,
		});
		expect((await api().call("GET", `/v1/jobs/${answer.body.id}`)).body).toEqual(answer.body);
	});

	test("a job without a name gets a readable one", async () => {
		expect((await create()).body.name).toMatch(/^:99 on box, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
	});

	test("each stop condition takes its own configuration, and interrupt needs none", async () => {
		for (const rule of [
			{ stopCondition: "duration", stopConditionConfig: { durationSeconds: 1 } },
			{ stopCondition: "duration", stopConditionConfig: { durationSeconds: 604_800 } },
			{ stopCondition: "interrupt", stopConditionConfig: {} },
			{ stopCondition: "interrupt" },
			{ stopCondition: "selenium_idle", stopConditionConfig: { gridUrl: "http://127.0.0.1:4444" } },
			{
				stopCondition: "selenium_idle",
				stopConditionConfig: { gridUrl: "https://grid.example/sub", gridUsername: "u", firstSessionTimeoutSeconds: 0 },
			},
		]) {
			const answer = await create(rule);
			expect(answer.status).toBe(201);
			expect(answer.body.stopConditionConfig).toEqual(rule.stopConditionConfig ?? {});
		}
	});

	test("a trailing slash and a trailing /wd/hub are stripped from the grid's URL", async () => {
		for (const gridUrl of ["http://127.0.0.1:4444/", "http://127.0.0.1:4444/wd/hub", "http://127.0.0.1:4444/wd/hub/"]) {
			const answer = await create({ stopCondition: "selenium_idle", stopConditionConfig: { gridUrl } });
			expect(answer.body.stopConditionConfig.gridUrl).toBe("http://127.0.0.1:4444");
		}
	});

	test("the grid's password is in no response, and encrypted in the database", async () => {
		const gridPassword = "planted-password-4711";
		const config = { gridUrl: "http://127.0.0.1:4444", gridUsername: "u", gridPassword };
		const created = await create(
			{ stopCondition: "selenium_idle", stopConditionConfig: config },
			{ "idempotency-key": "with-password" },
		);
		const { id } = created.body;
		const answers = [
			created,
			await api().call("GET", `/v1/jobs/${id}`),
			await api().call("GET", "/v1/jobs"),
			await api().call("GET", `/v1/jobs/${id}/events`),
		];
		for (const answer of answers) expect(JSON.stringify(answer.body)).not.toContain(gridPassword);
		expect(created.body.stopConditionConfig).toEqual({ gridUrl: "http://127.0.0.1:4444", gridUsername: "u" });
		const rows = await api().app.db.selectFrom("job").selectAll().where("id", "=", id).execute();
		const keys = await api().app.db.selectFrom("idempotencyKey").selectAll().execute();
		expect(JSON.stringify([rows, keys])).not.toContain(gridPassword);
		expect(rows[0]?.gridPasswordSealed).not.toBeNull();
	});

	test("repeating an Idempotency-Key returns the first response; with another body it is refused with 409", async () => {
		const headers = { "idempotency-key": "nightly-42" };
		const first = await create({ name: "once" }, headers);
		await api().call("POST", `/v1/jobs/${first.body.id}/cancel`);
		const again = await create({ name: "once" }, headers);
		expect([again.status, again.body]).toEqual([201, first.body]);
		const other = await create({ name: "twice" }, headers);
		expect([other.status, other.body.code]).toEqual([409, "conflict"]);
		const jobs = await api().call("GET", "/v1/jobs?q=once");
		expect(jobs.body.data).toHaveLength(1);
	});

	test("ten calls at once with one Idempotency-Key create one job", async () => {
		const answers = await Promise.all(
			Array.from({ length: 10 }, () => create({ name: "raced" }, { "idempotency-key": "race" })),
		);
		expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
	});

	test("cancelling a queued job ends it at once; a second cancel changes nothing", async () => {
		const { body: job } = await create();
		const first = await api().call("POST", `/v1/jobs/${job.id}/cancel`);
		expect([first.status, first.body.status, first.body.stopReason]).toEqual([202, "cancelled", "cancelled"]);
		expect(first.body.endedAt).not.toBeNull();
		const second = await api().call("POST", `/v1/jobs/${job.id}/cancel?organizationId=1`);
		expect([second.status, second.body]).toEqual([200, first.body]);
	});

	test("two cancels at once count as one", async () => {
		const { body: job } = await create();
		const answers = await Promise.all([1, 2, 3].map(() => api().call("POST", `/v1/jobs/${job.id}/cancel`)));
		expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 202]);
		const events = await api().call("GET", `/v1/jobs/${job.id}/events`);
		expect(events.body.data.map((event: { type: string }) => event.type)).toEqual(["created", "cancelled"]);
	});

	test("paging through a list returns every job once, newest first, even while new ones are added", async () => {
		for (let index = 0; index < 12; index += 1) await create({ name: `paged ${index}` });
		const seen: string[] = [];
		let cursor = "";
		for (let page = 0; page < 10; page += 1) {
			const { body } = await api().call("GET", `/v1/jobs?q=paged&limit=5${cursor}`);
			seen.push(...body.data.map((job: { name: string }) => job.name));
			if (page === 0) await create({ name: "paged late" });
			if (body.nextCursor === null) break;
			cursor = `&cursor=${body.nextCursor}`;
		}
		expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => `paged ${11 - index}`));
	});

	test("a list can be filtered by status, runner, stop condition, name and time", async () => {
		const other = await api().signIn("other-box");
		const { body: job } = await create({ name: "100% _odd_ näme", runnerId: other.runnerId });
		const ids = async (query: string) =>
			(await api().call("GET", `/v1/jobs?${query}`)).body.data.map((each: { id: number }) => each.id);
		expect(await ids(`runnerId=${other.runnerId}`)).toEqual([job.id]);
		expect(await ids(`q=${encodeURIComponent("100% _ODD_")}`)).toEqual([job.id]);
		expect(await ids("q=%25%25%25")).toEqual([]);
		expect(await ids("status=recording")).toEqual([]);
		expect(await ids("status=queued&status=cancelled&limit=100")).toContain(job.id);
		expect(await ids("stopCondition=duration&limit=100")).not.toContain(job.id);
		expect(
			await ids(
				`createdAfter=${encodeURIComponent(new Date(Date.parse(job.createdAt) - 1).toISOString())}&runnerId=${other.runnerId}`,
			),
		).toEqual([job.id]);
		expect(await ids(`createdAfter=${job.createdAt}&runnerId=${other.runnerId}`)).toEqual([]);
		expect(await ids(`createdBefore=${job.createdAt}&runnerId=${other.runnerId}`)).toEqual([]);
	});

	test("waitFor returns as soon as the job gets there, or with its current state after the timeout", async () => {
		const { body: job } = await create();
		const early = await api().call("GET", `/v1/jobs/${job.id}?waitFor=ended&timeoutSeconds=0`);
		expect(early.body.status).toBe("queued");
		const waiting = api().call("GET", `/v1/jobs/${job.id}?waitFor=ended&timeoutSeconds=60`);
		const playable = api().call("GET", `/v1/jobs/${job.id}?waitFor=playable`);
		await api().call("POST", `/v1/jobs/${job.id}/cancel`);
		expect((await waiting).body.status).toBe("cancelled");
		expect((await playable).body.status).toBe("cancelled");
	});

	test("invalid waitFor and timeoutSeconds are refused", async () => {
		const answer = await api().call("GET", "/v1/jobs/1?waitFor=done&timeoutSeconds=61");
		expect(answer.body.errors.map((fault: { path: string }) => fault.path).sort()).toEqual([
			"timeoutSeconds",
			"waitFor",
		]);
	});

	test("HEAD answers like GET without a body", async () => {
		const get = await api().call("GET", "/v1/runners");
		const head = await api().call("HEAD", "/v1/runners");
		expect([head.status, head.body]).toEqual([200, null]);
		expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
	});

	test("markers are added at a time and listed in order; invalid ones are refused", async () => {
		const { body: job } = await create();
		const late = await api().call("POST", `/v1/jobs/${job.id}/markers`, {
			body: { label: "second", kind: "fail", at: "2026-11-21T10:00:01Z" },
		});
		expect(late.status).toBe(201);
		await api().call("POST", `/v1/jobs/${job.id}/markers`, {
			body: { label: "first", at: "2026-11-21T10:00:00.000Z" },
		});
		const { body } = await api().call("GET", `/v1/jobs/${job.id}/markers`);
		expect(body.data.map((marker: { label: string; kind: string }) => [marker.label, marker.kind])).toEqual([
			["first", "note"],
			["second", "fail"],
		]);
		const bad = await api().call("POST", `/v1/jobs/${job.id}/markers`, {
			body: { label: " ", kind: "x", at: "noon", more: 1 },
		});
		expect(bad.status).toBe(422);
		expect(bad.body.errors.map((fault: { path: string }) => fault.path).sort()).toEqual([
			"at",
			"kind",
			"label",
			"more",
		]);
	});

	test("the event stream sends changes within a moment, of the caller's organization only", async () => {
		const controller = new AbortController();
		const response = await fetch(`${api().url}/v1/events`, {
			headers: { authorization: "Bearer tdk_test_0123456789abcdef" },
			signal: controller.signal,
		});
		expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
		expect(response.headers.get("cache-control")).toContain("no-transform");
		const { body: job } = await create({ name: "streamed" });
		api().app.events.publish({ type: "job", organizationId: 2, jobId: job.id, runnerId });
		let text = "";
		for await (const chunk of response.body ?? []) {
			text += new TextDecoder().decode(chunk);
			if (text.includes('"streamed"')) break;
		}
		controller.abort();
		const event = text.split("\n\n").find((part) => part.includes("streamed")) ?? "";
		expect(event.split("\n")[0]).toBe("event: job");
		expect(JSON.parse(event.split("\n")[1]?.replace("data: ", "") ?? "").id).toBe(job.id);
	});

	test("the event stream requires credentials", async () => {
		expect((await api().call("GET", "/v1/events", { token: null })).status).toBe(401);
		expect((await api().call("GET", "/v1/events", { token: TEST_RUNNER_TOKEN })).status).toBe(403);
	});

	test("health is public and reveals nothing but its status", async () => {
		const answer = await api().call("GET", "/v1/health", { token: null });
		expect([answer.status, answer.body]).toEqual([200, { status: "ok" }]);
	});
});
