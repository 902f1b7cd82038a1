/** The gate of CI by the API: what passes, and what keeps it shut. */
import { type Gate, MAX_LETTING_PASS } from "@tapedeck/contract/gate.ts";
import type { NewTestResult, TestResult } from "@tapedeck/contract/test-result.ts";
import { beforeAll, expect, test } from "vitest";
import { join, type Person, signIn } from "#test/api-people.ts";
import type { TestApi } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";

onEachDatabase((api) => suite(api));

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

function suite(api: () => TestApi): void {
	let runnerId: number;
	let owner: Person;
	beforeAll(async () => {
		runnerId = (await api().signIn()).runnerId;
		owner = await signIn(api());
	});

	const failed = (test: string, message: string | null, more: Partial<NewTestResult> = {}) => ({
		...{ key: `${test} ${more.attempt ?? 1}`, test, outcome: "failed", message, ...more },
	});
	/** A job with these results, which has ended. */
	const jobWith = async (results: object[], build = "gated") => {
		const order = { runnerId, displayId: ":99", stopCondition: "interrupt", labels: { build } };
		const { id } = (await api().call("POST", "/v1/jobs", { body: order })).body;
		const { data } = (await api().call("POST", `/v1/jobs/${id}/tests`, { body: results })).body;
		return { id: id as number, data: data as TestResult[] };
	};
	const gate = async (id: number, body: object = {}): Promise<Gate> => {
		const answer = await api().call("POST", `/v1/jobs/${id}/gate`, { body });
		expect(answer.status).toBe(200);
		return answer.body;
	};
	const triage = (body: object, by: Pick<Person, "call"> = owner) => by.call("PUT", "/v1/failure-triage", { body });
	const letPass = async (cause: string, more: object = {}) => {
		const body = {
			cause,
			letsPass: true,
			mutedUntil: inDays(3),
			reason: "TAP-7",
			assigneeUserId: owner.userId,
			...more,
		};
		return triage(body);
	};

	test("a job passes when each failure has a cause that a person lets pass, and its build counts the tests", async () => {
		const results = [failed("pays", "Timeout at the gateway"), { key: "ok", test: "ok", outcome: "passed" }];
		const { id, data } = await jobWith(results, "counted");
		const shut = await gate(id);
		expect(shut).toMatchObject({ passes: false, refusal: null, known: [], new: [{ tests: 1, names: ["pays"] }] });
		expect(shut.summary).toBe("1 cause: 1 new: pays, since this build.");
		const cause = data[0]?.cause ?? "";
		expect((await letPass(cause)).body).toMatchObject({ letsPass: true, muteReason: "TAP-7" });
		expect(await gate(id, { failed: [data[0]?.id] })).toMatchObject({
			...{ passes: true, refusal: null, new: [] },
			known: [{ cause, tests: 1, names: ["pays"], owner: owner.name, reason: "TAP-7" }],
		});
		expect((await api().call("GET", "/v1/builds/counted")).body).toMatchObject({ letThrough: 1 });
		const { data: events } = (await api().call("GET", `/v1/jobs/${id}/events`)).body;
		expect(events.some(({ type }: { type: string }) => type === "let_through")).toBe(true);
	});

	test("a new cause says since when its test fails with it: since this commit, or since the commit after it last passed", async () => {
		const run = async (
			commit: string | null,
			build: string,
			outcome: string,
			message = "The drawer of the till is stuck",
		) => {
			const labels = { build, branch: "till", ...(commit === null ? {} : { commit }) };
			const order = { runnerId, displayId: ":99", stopCondition: "interrupt", labels };
			const { id } = (await api().call("POST", "/v1/jobs", { body: order })).body;
			const body = [{ key: "1", test: "opens the till", outcome, ...(outcome === "failed" ? { message } : {}) }];
			await api().call("POST", `/v1/jobs/${id}/tests`, { body });
			return gate(id);
		};
		await run("aaaa", "till 1", "failed");
		await run("bbbb", "till 2", "passed");
		const first = await run("cccc", "till 3", "failed");
		expect(first.summary).toBe("1 cause: 1 new: opens the till, since this commit.");
		expect(first.new).toMatchObject([{ since: { build: "till 3", commit: "cccc" } }]);
		// The commit of another job, such as one that was started again.
		expect((await run("cccc", "till 4", "failed")).summary).toBe("1 cause: 1 new: opens the till, since this commit.");
		expect((await run("dddd", "till 5", "failed")).summary).toBe(
			"1 cause: 1 new: opens the till, since commit cccc (build till 3).",
		);
		const other = await run("eeee", "till 6", "failed", "No receipt was printed");
		expect(other.summary).toBe("1 cause: 1 new: opens the till, since this commit.");
		await run(null, "till 7", "passed");
		await run(null, "till 8", "failed");
		expect((await run(null, "till 9", "failed")).summary).toBe("1 cause: 1 new: opens the till, since build till 8.");
	});

	test("a test run passes as a job does, its build counts the tests, and the audit log has the causes", async () => {
		const labels = { build: "run of the gate" };
		const { id } = (await api().call("POST", "/v1/test-runs", { body: { name: "Nightly", labels } })).body;
		const results = [
			failed("pays", "The bank never answered the payment"),
			{ key: "ok", test: "ok", outcome: "passed" },
		];
		const { data } = (await api().call("POST", `/v1/test-runs/${id}/tests`, { body: results })).body;
		const decide = async () => (await api().call("POST", `/v1/test-runs/${id}/gate`, { body: {} })).body;
		expect(await decide()).toMatchObject({ passes: false, refusal: null, new: [{ names: ["pays"] }] });
		const { cause } = data.find(({ test }: TestResult) => test === "pays");
		await letPass(cause);
		expect(await decide()).toMatchObject({ passes: true, known: [{ cause, owner: owner.name }], new: [] });
		const build = await api().call("GET", `/v1/builds/${encodeURIComponent(labels.build)}`);
		expect(build.body).toMatchObject({ letThrough: 1 });
		const log = (await owner.call("GET", "/v1/audit-log?action=test_run.let_through")).body.data;
		expect(log).toMatchObject([{ detail: { testRunId: id, name: "Nightly", causes: [{ cause, tests: 1 }] } }]);
	});

	test("causes that CI passes in spite of are listed with newest failure, owner and end until they are ended", async () => {
		const { data } = await jobWith([failed("lists", "The printer of receipts is out of paper")]);
		const cause = data[0]?.cause ?? "";
		await letPass(cause);
		const listed = async () => (await api().call("GET", "/v1/failure-triage")).body.data;
		const own = (await listed()).find((one: { cause: string }) => one.cause === cause);
		expect(own).toEqual({
			...{ cause, title: data[0]?.reason, failures: 1 },
			newest: { id: data[0]?.id, testId: data[0]?.testId, recordingId: null, test: "lists" },
			triage: {
				...{ assignee: { userId: owner.userId, name: owner.name }, mutedBy: owner.name, muteReason: "TAP-7" },
				...{ letsPass: true, mutedUntil: expect.any(String) },
			},
		});
		const ends = (await listed()).map(({ triage }: { triage: { mutedUntil: string } }) => triage.mutedUntil);
		expect(ends).toEqual(ends.toSorted());
		await triage({ cause, mutedUntil: null });
		expect((await listed()).map((one: { cause: string }) => one.cause)).not.toContain(cause);
	});

	test("one new cause keeps the gate shut, also of a test that is known to fail with another", async () => {
		const known = failed("signs in", "The session cookie is missing");
		const first = await jobWith([known]);
		await letPass(first.data[0]?.cause ?? "");
		expect((await gate(first.id)).passes).toBe(true);
		const other = await jobWith([failed("signs in", "expected 200 to be 500")]);
		expect(await gate(other.id)).toMatchObject({ passes: false, known: [], new: [{ tests: 1 }] });
		const both = await jobWith([known, failed("signs in", "expected 200 to be 500", { attempt: 2 })]);
		expect(await gate(both.id)).toMatchObject({ passes: false, known: [{ tests: 1 }], new: [{ tests: 1 }] });
	});

	test("a failure before a retry that passed is no failure", async () => {
		const known = await jobWith([failed("loads", "Socket hang up")]);
		await letPass(known.data[0]?.cause ?? "");
		const passed = { key: "flaky 2", test: "flaky", outcome: "passed", attempt: 2 };
		const { id } = await jobWith([failed("loads", "Socket hang up"), failed("flaky", "never seen before"), passed]);
		expect((await gate(id)).passes).toBe(true);
	});

	test.each([
		["no test has failed", [{ key: "a", test: "a", outcome: "passed" }], {}, /has failed/],
		["nothing was reported", [], {}, /has failed/],
		["a test has not ended", [failed("x", "Known"), { key: "b", test: "b" }], {}, /have ended/],
		["a failure did not arrive", [failed("x", "Known")], { failed: [999_999] }, /have arrived/],
	])("the gate stays shut when %s", async (_what, results, body, refusal) => {
		const known = await jobWith([failed("x", "Known")]);
		await letPass(known.data[0]?.cause ?? "");
		const job =
			results.length === 0
				? await jobWith([failed("x", "Known", { outcome: "skipped" } as never)])
				: await jobWith(results);
		expect(await gate(job.id, body)).toMatchObject({ passes: false, refusal: expect.stringMatching(refusal) });
	});

	test("a failure without a message is never known", async () => {
		const { id, data } = await jobWith([failed("silent", null)]);
		const cause = data[0]?.cause;
		if (cause) await letPass(cause);
		expect(await gate(id)).toMatchObject({ passes: false, known: [], new: [{ cause: null, tests: 1 }] });
	});

	test("a mute alone lets nothing pass, nor does one that was set anew without letsPass, nor one without its owner", async () => {
		const { id, data } = await jobWith([failed("slow", "Took too long to answer")]);
		const cause = data[0]?.cause ?? "";
		await triage({ cause, mutedUntil: inDays(1), reason: "known", assigneeUserId: owner.userId });
		expect((await gate(id)).passes).toBe(false);
		await letPass(cause);
		expect((await gate(id)).passes).toBe(true);
		await triage({ cause, assigneeUserId: null });
		expect((await gate(id)).passes).toBe(false);
		await letPass(cause);
		await triage({ cause, mutedUntil: inDays(2), reason: "known" });
		expect((await gate(id)).passes).toBe(false);
	});

	test("a muted test lets nothing pass, whatever it fails with, and a screen cannot be muted", async () => {
		const { id, data } = await jobWith([failed("muted by name", "The lighthouse is dark")]);
		const { testId, cause } = data[0] as TestResult;
		const mute = { mutedUntil: inDays(1), reason: "known", assigneeUserId: owner.userId };
		expect((await triage({ testId, ...mute })).body).toMatchObject({ letsPass: false, muteReason: "known" });
		expect(await gate(id)).toMatchObject({ passes: false, known: [], new: [{ cause }] });
		expect((await triage({ testId, ...mute, letsPass: true })).body).toMatchObject({
			errors: [{ path: "letsPass", message: expect.stringMatching(/^Send letsPass with a cause: /) }],
		});
		for (const letsPass of [true, false]) {
			const { status, body } = await triage({ screen: "0123456789abcdef", ...mute, letsPass });
			expect([status, body.errors[0]]).toMatchObject([422, { path: "screen", code: "unknown_field" }]);
		}
		expect(await gate(id)).toMatchObject({ passes: false, known: [] });
	});

	test("letsPass false ends what lets CI pass, and the mute stays", async () => {
		const { id, data } = await jobWith([failed("stays muted", "The harbour is closed for the regatta")]);
		const cause = data[0]?.cause ?? "";
		await letPass(cause);
		expect((await gate(id)).passes).toBe(true);
		expect((await triage({ cause, letsPass: false })).body).toMatchObject({ letsPass: false, muteReason: "TAP-7" });
		expect((await gate(id)).passes).toBe(false);
	});

	test("a cause whose mute ends while the tests run keeps the gate shut", async () => {
		const { id, data } = await jobWith([failed("ends", "The permit of the crane has expired")]);
		const cause = data[0]?.cause ?? "";
		await letPass(cause);
		expect((await gate(id)).passes).toBe(true);
		const { db } = api().app;
		await db.updateTable("failureTriage").set({ mutedUntil: Date.now() }).where("key", "=", cause).execute();
		expect(await gate(id)).toMatchObject({ passes: false, known: [], new: [{ cause }] });
	});

	test("a person who has left the organization looks after nothing, and is asked for again", async () => {
		const { id, data } = await jobWith([failed("orphaned", "The orchard has no gardener")]);
		const cause = data[0]?.cause ?? "";
		const leaver = await join(api(), owner, "member");
		await letPass(cause, { assigneeUserId: leaver.userId });
		expect((await gate(id)).passes).toBe(true);
		expect((await owner.call("DELETE", `/v1/members/${leaver.userId}`)).status).toBe(204);
		expect((await gate(id)).passes).toBe(false);
		const { data: listed } = (await owner.call("GET", "/v1/failure-triage")).body;
		expect(listed.find((one: { cause: string }) => one.cause === cause).triage.assignee).toBeNull();
		const again = await letPass(cause, { assigneeUserId: undefined });
		expect(again).toMatchObject({ status: 422, body: { errors: [{ path: "assigneeUserId" }] } });
	});

	test.each([
		["a day ahead", DAY_MS],
		["a day behind", -DAY_MS],
	])("a runner whose clock is %s gets the same decision", async (when, ms) => {
		const startedAt = new Date(Date.now() + ms).toISOString();
		const said = `The tide table of ${when} is missing`;
		const known = failed(`tide ${when}`, said, { startedAt } as never);
		const passed = { key: "retried 2", test: `retried ${when}`, outcome: "passed", attempt: 2 };
		// The first attempt has a later time than the retry that passed, or the retry one in the past.
		const retried = [failed(`retried ${when}`, "Never seen", { startedAt } as never), passed];
		const { id, data } = await jobWith([known, ...retried], `clock ${when}`);
		const cause = data.find(({ test }) => test === `tide ${when}`)?.cause ?? "";
		expect(await gate(id)).toMatchObject({ passes: false, refusal: null, new: [{ cause, names: [`tide ${when}`] }] });
		await letPass(cause);
		expect(await gate(id)).toMatchObject({ passes: true, known: [{ cause, tests: 1 }], new: [] });
		const broken = failed(`tide ${when}`, "The pier has sunk", { startedAt } as never);
		const other = await jobWith([broken], `clock ${when}`);
		expect(await gate(other.id)).toMatchObject({ passes: false, known: [], new: [{ tests: 1 }] });
	});

	test("gates that are asked at the same time agree, and the build counts each test once", async () => {
		const results = [
			failed("one", "Both gates know the ferry is late"),
			failed("two", "Both gates know the ferry is late"),
		];
		const first = await jobWith(results, "asked twice");
		await letPass(first.data[0]?.cause ?? "");
		const second = await jobWith(results, "asked twice");
		const gates = await Promise.all([first, first, second, second].map(({ id }) => gate(id)));
		expect(gates.map(({ passes, known }) => [passes, known[0]?.tests])).toEqual(Array(4).fill([true, 2]));
		const build = await api().call("GET", "/v1/builds/asked%20twice");
		expect(build.body).toMatchObject({ letThrough: 2 });
	});

	test("a viewer cannot let a cause pass, and a cause that passes elsewhere keeps the gate shut", async () => {
		const { id, data } = await jobWith([failed("secret", "The vault did not open in time")]);
		const cause = data[0]?.cause ?? "";
		const viewer = await join(api(), owner, "viewer");
		const body = { cause, letsPass: true, mutedUntil: inDays(1), reason: "r", assigneeUserId: owner.userId };
		expect(await triage(body, viewer)).toMatchObject({ status: 403 });
		const other = (await owner.call("POST", "/v1/organizations", { body: { name: "Elsewhere" } })).body.id;
		const elsewhere = `?organizationId=${other}`;
		expect(await owner.call("PUT", `/v1/failure-triage${elsewhere}`, { body })).toMatchObject({ status: 200 });
		expect(await gate(id)).toMatchObject({ passes: false, known: [] });
		const theirs = await owner.call("POST", `/v1/jobs/${id}/gate${elsewhere}`, { body: {} });
		expect(theirs).toMatchObject({ status: 404 });
	});

	test.each([
		["mutedUntil", { mutedUntil: inDays(31) }],
		["mutedUntil", { mutedUntil: null }],
		["assigneeUserId", { assigneeUserId: null }],
		["reason", { reason: undefined }],
		["letsPass", { cause: undefined, testId: 1 }],
	])("letting pass is refused at %s: %j", async (path, more) => {
		const answer = await letPass("of nothing", more);
		expect(answer).toMatchObject({ status: 422, body: { errors: [{ path }] } });
	});

	test("at most 50 causes of an organization let CI pass at a time, and one that ends makes room", async () => {
		const letting = async () => {
			const rows = await api()
				.app.db.selectFrom("failureTriage")
				.select("key")
				.where("organizationId", "=", 1)
				.where("letsPass", "=", 1)
				.where("mutedUntil", ">", Date.now())
				.execute();
			return rows.map(({ key }) => key);
		};
		for (let at = (await letting()).length; at < MAX_LETTING_PASS; at += 1) {
			expect((await letPass(`cause ${at}`)).status).toBe(200);
		}
		const refused = await letPass("one too many");
		expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining("50 causes") } });
		// One of them can still be changed.
		const [first] = await letting();
		expect((await letPass(first ?? "", { mutedUntil: inDays(5) })).status).toBe(200);
		expect((await triage({ cause: first, mutedUntil: null })).status).toBe(200);
		expect((await letPass("one too many")).status).toBe(200);
		expect(await letting()).toHaveLength(MAX_LETTING_PASS);
	});

	test("a key lets nothing pass", async () => {
		const body = { cause: "c", letsPass: true, mutedUntil: inDays(1), reason: "r", assigneeUserId: owner.userId };
		expect(await api().call("PUT", "/v1/failure-triage", { body })).toMatchObject({ status: 403 });
	});
}
