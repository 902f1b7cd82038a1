/** A database with failures whose causes were found by older rules. */
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { contextFor } from "#lib/http/app-context.ts";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import { CAUSE_RULES } from "./store/cause.ts";
import { sweepCauses } from "./sweep-causes.ts";

const NEVER = new AbortController().signal;
const MUTED_UNTIL = Date.parse("2100-01-01T00:00:00Z");

onEachDatabase((api) => {
	const db = () => api().app.db;
	let runner: ScriptedRunner | undefined;
	afterAll(() => runner?.stop());

	/** Failures of a build, by test. */
	async function report(build: string, failures: Record<string, string>): Promise<TestResult[]> {
		runner ??= await scriptRunner(
			{ url: api().url, api: connect(api().url, TEST_API_KEY), runnerToken: TEST_RUNNER_TOKEN },
			"runner of causes",
		);
		const body = {
			...{ runnerId: runner.runnerId, displayId: ":77", stopCondition: "interrupt" },
			labels: { build, branch: "main" },
		};
		const { body: job } = await api().call("POST", "/v1/jobs", { body });
		const results = Object.entries(failures).map(([name, message], index) => ({
			...{ key: String(index), test: name, outcome: "failed", message },
		}));
		const { status, body: answer } = await api().call("POST", `/v1/jobs/${job.id}/tests`, { body: results });
		expect(status, JSON.stringify(answer)).toBe(201);
		return answer.data;
	}
	const triage = (key: string) =>
		db().selectFrom("failureTriage").select(["key", "mutedUntil", "muteReason"]).where("key", "=", key).execute();
	/** Stores results as an older dashboard did: two bugs under one cause, which a user muted. */
	async function makeOld(): Promise<void> {
		await db().updateTable("testResult").set({ cause: "old", causeRules: 1 }).execute();
		const { organizationId } = await db().selectFrom("testResult").select("organizationId").executeTakeFirstOrThrow();
		const decision = { mutedUntil: MUTED_UNTIL, muteReason: "known", mutedBy: "Ada", assigneeUserId: null };
		await db()
			.insertInto("failureTriage")
			.values({ organizationId, kind: "cause", key: "old", ...decision })
			.execute();
	}
	beforeEach(async () => {
		await db().deleteFrom("testResult").execute();
		await db().deleteFrom("failureTriage").execute();
	});

	test("failures of older rules get their new causes, and a mute moves along to each of them", async () => {
		const [pays, sends] = await report("build 1", { pays: "KeyError: 'price'", sends: "KeyError: 'weight'" });
		await makeOld();
		await sweepCauses(contextFor(api().app, { kind: "system", organizationId: 0 }), NEVER);
		const rows = await db().selectFrom("testResult").select(["name", "cause", "causeRules"]).orderBy("name").execute();
		expect(rows).toEqual([
			{ name: "pays", cause: pays?.cause, causeRules: CAUSE_RULES },
			{ name: "sends", cause: sends?.cause, causeRules: CAUSE_RULES },
		]);
		expect(pays?.cause).not.toBe(sends?.cause);
		for (const { cause } of rows) {
			expect(await triage(cause ?? "")).toEqual([{ key: cause, mutedUntil: MUTED_UNTIL, muteReason: "known" }]);
		}
	});

	test("a failure that its test had by older rules is known when it is reported again before the sweep", async () => {
		await report("build 1", { pays: "KeyError: 'price'", sends: "KeyError: 'weight'" });
		await makeOld();
		const [pays, sends] = await report("build 2", { pays: "KeyError: 'price'", sends: "KeyError: 'owner'" });
		expect([pays?.new, sends?.new]).toEqual([false, true]);
		expect(await triage(pays?.cause ?? "")).toEqual([expect.objectContaining({ muteReason: "known" })]);
		expect(await triage(sends?.cause ?? "")).toEqual([]);
	});

	test("a decision about the new cause takes precedence over one about the old cause", async () => {
		const [pays] = await report("build 1", { pays: "KeyError: 'price'" });
		await makeOld();
		const { body } = await api().call("PUT", "/v1/failure-triage", { body: { cause: pays?.cause, mutedUntil: null } });
		expect(body.mutedUntil).toBeNull();
		await sweepCauses(contextFor(api().app, { kind: "system", organizationId: 0 }), NEVER);
		expect(await triage(pays?.cause ?? "")).toEqual([expect.objectContaining({ mutedUntil: null })]);
	});
});
