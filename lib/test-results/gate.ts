/**
 * The gate of CI: a job or a test run whose tests failed passes if every failure has a cause that a user lets pass. It stays shut if
 * anything is unclear: a result that has not ended, one that did not arrive, a failure without a message.
 */
import { type Gate, type GateBody, MAX_GATE_TESTS } from "@tapedeck/contract/gate.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { timestamp } from "#lib/core/times.ts";
import { addJobEvent, lockOwnJob, publishJob } from "#lib/lifecycle/job-store.ts";
import { summaryOf } from "./gate-summary.ts";
import { titleOf } from "./store/cause/title.ts";
import { type OwnerIds, ownedByJob, ownedByRun, ownerColumn } from "./store/result-owner.ts";
import { publishResults, type TestResultRow } from "./store/result-store.ts";
import { updateCausesOf } from "./store/update-causes.ts";
import { findRun } from "./test-runs.ts";
import { isAssignee } from "./triage.ts";

const COLUMNS = [
	...(["id", "testId", "name", "attempt", "outcome", "cause", "message", "stack", "file"] as const),
	...(["build", "branch", "commit"] as const),
] as const;
type Failure = Pick<TestResultRow, (typeof COLUMNS)[number]>;

/** Decides about a job, whose history has what is let through. @throws not_found */
export function decideJobGate(ctx: Context, jobId: number, body: GateBody): Promise<Gate> {
	return inTransaction(ctx, async (ctx) => {
		const job = await lockOwnJob(ctx, jobId);
		const gate = await decide(ctx, ownedByJob(jobId), body);
		if (!gate.passes) return gate;
		const message = "CI passed: every failure has a known cause that lets it pass.";
		await addJobEvent(ctx, jobId, { type: "let_through", message, data: { causes: letThrough(gate) } });
		publishJob(ctx, job);
		return gate;
	});
}

/** Decides about a test run. The audit log has what is let through. @throws not_found */
export function decideTestRunGate(ctx: Context, testRunId: number, body: GateBody): Promise<Gate> {
	return inTransaction(ctx, async (ctx) => {
		const { name } = await findRun(ctx, testRunId);
		const gate = await decide(ctx, ownedByRun(testRunId), body);
		if (!gate.passes) return gate;
		await audit(ctx, { action: "test_run.let_through", detail: { testRunId, name, causes: letThrough(gate) } });
		publishResults(ctx, ownedByRun(testRunId));
		return gate;
	});
}

const letThrough = ({ known }: Gate) => known.map(({ cause, tests, owner }) => ({ cause, tests, owner }));

/** @param ctx its database must be a transaction. */
async function decide(ctx: Context, owner: OwnerIds, { failed }: GateBody): Promise<Gate> {
	const results = await resultsOf(ctx, owner);
	const failures = failuresOf(results);
	const passing = await passingCauses(ctx, failures);
	const [known, others] = [
		failures.filter((one) => isKnown(one, passing)),
		failures.filter((one) => !isKnown(one, passing)),
	];
	const refusal = refusalOf(results, failures, failed);
	const gate = {
		passes: refusal === null && others.length === 0,
		refusal,
		known: byCause(known).map((group) => {
			const { owner, muteReason, mutedUntil } = passing.get(group.cause ?? "") as Passing;
			return { ...group, owner, reason: muteReason, mutedUntil: timestamp(mutedUntil) };
		}),
		new: await withSince(ctx, byCause(others), others),
	};
	ctx.measures?.gateDecided(gate.passes ? "passed" : "shut");
	const answer: Gate = { ...gate, summary: summaryOf(gate, others[0]) };
	if (!gate.passes) return answer;
	const ids = known.map(({ id }) => id);
	for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
		const some = ids.slice(at, at + ROWS_AT_ONCE);
		await ctx.db.updateTable("testResult").set({ isLetThrough: 1 }).where("id", "in", some).execute();
	}
	return answer;
}

const ROWS_AT_ONCE = 500;

async function resultsOf(ctx: Context, owner: OwnerIds): Promise<Failure[]> {
	const { column, id } = ownerColumn(owner);
	const rows = await ctx.db
		.selectFrom("testResult")
		.select(["testId", "outcome"])
		.distinct()
		.where(column, "=", id)
		.where("outcome", "in", ["failed", "error"])
		.execute();
	const testIds = [...new Set(rows.map(({ testId }) => testId))];
	if (testIds.length > 0) await updateCausesOf(ctx, testIds);
	return ctx.db
		.selectFrom("testResult")
		.select(COLUMNS)
		.where(column, "=", id)
		.where("isImplied", "=", 0)
		.orderBy("startedAt", "desc")
		.orderBy("id", "desc")
		.execute();
}

/** All failed attempts, except of tests that passed at a later one. */
function failuresOf(results: readonly Failure[]): Failure[] {
	const passedAt = new Map<number, number>();
	for (const { testId, attempt, outcome } of results)
		if (outcome === "passed") passedAt.set(testId, Math.max(attempt, passedAt.get(testId) ?? 0));
	return results.filter(({ testId, attempt, outcome }) => isFailure(outcome) && attempt >= (passedAt.get(testId) ?? 0));
}

interface Passing {
	owner: string;
	muteReason: string | null;
	mutedUntil: number;
}

/** The causes of these failures that let CI pass now, because a member looks after them. */
async function passingCauses(ctx: Context, failures: readonly Failure[]): Promise<Map<string, Passing>> {
	const causes = [...new Set(failures.flatMap(({ cause }) => cause ?? []))];
	const passing = new Map<string, Passing>();
	for (let at = 0; at < causes.length; at += ROWS_AT_ONCE) {
		const rows = await ctx.db
			.selectFrom("failureTriage")
			.innerJoin("member", isAssignee)
			.innerJoin("user", "user.id", "member.userId")
			.select(["failureTriage.key", "user.name as owner", "muteReason", "mutedUntil"])
			.where("failureTriage.organizationId", "=", ctx.actor.organizationId)
			.where("failureTriage.kind", "=", "cause")
			.where("failureTriage.letsPass", "=", 1)
			.where("failureTriage.mutedUntil", ">", ctx.clock.now())
			.where("failureTriage.key", "in", causes.slice(at, at + ROWS_AT_ONCE))
			.execute();
		for (const { key, ...row } of rows) passing.set(key, row as Passing);
	}
	return passing;
}

/** A failure that says nothing has the cause of every other one that says nothing. */
const isKnown = ({ cause, message, stack }: Failure, passing: ReadonlyMap<string, Passing>): boolean =>
	cause !== null && (message ?? stack ?? "").trim() !== "" && passing.has(cause);

function refusalOf(results: readonly Failure[], failures: readonly Failure[], known: readonly number[]): string | null {
	if (failures.length === 0) return "No test has failed.";
	if (results.some(({ outcome }) => outcome === null)) return "Not all tests have ended.";
	const ids = new Set(failures.map(({ id }) => id));
	if (known.some((id) => !ids.has(id))) return "Not all failures have arrived.";
	return null;
}

function byCause(failures: readonly Failure[]): Omit<Gate["new"][number], "since">[] {
	const groups = Map.groupBy(failures, ({ cause, message, stack }) => ((message ?? stack) === null ? null : cause));
	return [...groups].map(([cause, same]) => {
		const names = [...new Map(same.map(({ testId, name }) => [testId, name])).values()];
		const [first] = same;
		const title = (first && titleOf({ ...first, test: first.name })) ?? "";
		return { cause, title, tests: names.length, names: names.slice(0, MAX_GATE_TESTS) };
	});
}

/** More are not looked up, so that the gate decides quickly. */
const MAX_SINCE = 50;

async function withSince(
	ctx: Context,
	causes: ReturnType<typeof byCause>,
	failures: readonly Failure[],
): Promise<Gate["new"]> {
	const firsts = new Map<string | null, Failure>();
	for (const failure of failures) if (!firsts.has(failure.cause)) firsts.set(failure.cause, failure);
	const all: Gate["new"] = [];
	for (const group of causes) {
		const first = group.cause === null || all.length >= MAX_SINCE ? undefined : firsts.get(group.cause);
		all.push({ ...group, since: first === undefined ? null : await sinceOf(ctx, first) });
	}
	return all;
}

/** The first failure of a test with its cause since the test last passed on this branch. */
async function sinceOf(ctx: Context, { testId, cause, branch }: Failure): Promise<Gate["new"][number]["since"]> {
	const ofTest = ctx.db
		.selectFrom("testResult")
		.where("testId", "=", testId)
		.where("isImplied", "=", 0)
		.where("isByAgent", "=", 0)
		.where("branch", branch === null ? "is" : "=", branch);
	const passed = await ofTest
		.select("startedAt")
		.where("outcome", "=", "passed")
		.orderBy("startedAt", "desc")
		.limit(1)
		.executeTakeFirst();
	const row = await ofTest
		.select(["id", "startedAt", "build", "commit"])
		.where("cause", "=", cause)
		.where("startedAt", ">=", passed?.startedAt ?? 0)
		.orderBy("startedAt")
		.orderBy("id")
		.limit(1)
		.executeTakeFirst();
	return row === undefined ? null : { ...row, startedAt: timestamp(row.startedAt) };
}
