/** The runner's long poll: it tells which jobs it has and gets what it lacks. */
import type { RunnerJob, SyncAnswer, SyncBody } from "../contract/runner-protocol.ts";
import type { Context, Fact } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import { lookUntil } from "../core/look-until.ts";
import { addJobEvent, inTransaction, type JobRow, moveJob, publishJob } from "../lifecycle/job-store.ts";
import { isProvisional, LEASED_STATUSES } from "../lifecycle/transitions.ts";
import { loseJob, publishLost, returnJob } from "../jobs/lose-job.ts";
import type { DisplayPictures } from "./display-pictures.ts";
import type { RunnerPresence } from "./presence.ts";
import { runnerOfSession, touchRunner } from "./runner-session.ts";
import type { RunnerRow } from "./runner-view.ts";

/** What one process knows of the runners that are connected to it. */
export type AtHand = { presence: RunnerPresence; pictures: DisplayPictures };

/**
 * Answers at once when there is something to start, to cancel or to show, else after `waitSeconds`.
 *
 * @param signal the caller went away, or the server stops.
 * @throws session_superseded when the runner has to sign in again.
 */
export async function syncRunner(
	ctx: Context,
	{ presence, pictures }: AtHand,
	body: SyncBody,
	signal: AbortSignal,
): Promise<SyncAnswer> {
	const runner = await runnerOfSession(ctx, body.sessionId);
	const closed = presence.pollOpened(runner.id, body.sessionId);
	let broke = true;
	try {
		await touchRunner(ctx, runner);
		if (runner.removedAt !== null) return await farewell(ctx, runner, body);
		const isFirst = presence.isFirstSync(runner.id, body.sessionId);
		if (isFirst) await reconcile(ctx, runner, body);
		// Runners with keys are runners that can tell again.
		const retell = isFirst && body.jobs.some(({ key }) => key !== undefined);
		const waitSeconds = retell ? 0 : body.waitSeconds;
		const answer = await untilSomething(ctx, runner, pictures, { ...body, waitSeconds }, signal);
		broke = signal.aborted;
		return retell ? { ...answer, retell } : answer;
	} finally {
		closed(broke);
	}
}

function untilSomething(
	ctx: Context,
	runner: RunnerRow,
	pictures: DisplayPictures,
	body: SyncBody,
	signal: AbortSignal,
): Promise<SyncAnswer> {
	const look = async (): Promise<SyncAnswer> => {
		// A caller that is gone must not be given jobs: they would wait for its successor's first poll.
		if (signal.aborted) return { start: [], cancel: [], unknown: [] };
		// Another process may have signed in, or the runner been removed, while this one waited or before it did.
		const { removedAt } = await runnerOfSession(ctx, body.sessionId);
		if (removedAt !== null) return farewell(ctx, runner, body);
		const answer = await whatItLacks(ctx, runner, body);
		const wanted = pictures.takeWishes(runner.id);
		return wanted.length === 0 ? answer : { ...answer, pictures: wanted };
	};
	const isEnough = (answer: SyncAnswer) =>
		answer.start.length + answer.cancel.length + answer.unknown.length > 0 ||
		answer.forgotten !== undefined ||
		answer.deleted !== undefined ||
		answer.identified !== undefined ||
		answer.passwords !== undefined ||
		answer.removed === true ||
		answer.pictures !== undefined;
	const matters = (fact: Fact) => "runnerId" in fact && fact.runnerId === runner.id;
	return lookUntil(ctx, { look, isEnough, matters, timeoutMs: body.waitSeconds * 1000 }, signal);
}

/**
 * What a removed runner gets: while it still has recordings, the word to end and deliver them (as a cancel too, for
 * one that is older than that word), and then the end of its session.
 *
 * @throws runner_removed when it has nothing left.
 */
async function farewell(ctx: Context, runner: RunnerRow, body: SyncBody): Promise<SyncAnswer> {
	const known = (await matchJobs(ctx, runner, body.jobs)).known.map(({ job }) => job);
	const held = known.filter(({ status }) => (LEASED_STATUSES as readonly string[]).includes(status));
	if (held.length === 0) {
		throw new TapedeckError(
			"runner_removed",
			`The runner ${runner.name} was removed from the dashboard. Start it again to have it come back as a new runner.`,
		);
	}
	const unseen = body.jobs.filter(({ id, cancelSeen }) => !cancelSeen && held.some((job) => job.id === id));
	return { start: [], cancel: unseen.map(({ id }) => id), unknown: [], removed: true };
}

async function whatItLacks(ctx: Context, runner: RunnerRow, body: SyncBody): Promise<SyncAnswer> {
	const started: JobRow[] = [];
	const answer = await inTransaction(ctx, async (ctx) => {
		const matched = await matchJobs(ctx, runner, body.jobs);
		const known = matched.known.map(({ job }) => job);
		const listed = new Map(matched.known.map(({ job, cancelSeen }) => [job.id, cancelSeen]));
		for (const job of known) {
			if (!isProvisional(job)) continue;
			const back = await returnJob(ctx, job);
			if (back !== undefined) started.push(back);
		}
		const takesJobs = body.takesJobs !== false;
		const queued = !takesJobs
			? []
			: await ctx.db
					.selectFrom("job")
					.select("id")
					.where("runnerId", "=", runner.id)
					.where("status", "=", "queued")
					.orderBy("id")
					.execute();
		for (const { id } of queued) {
			const job = await moveJob(ctx, id, "starting");
			if (job === undefined) continue;
			started.push(job);
			await addJobEvent(ctx, id, { type: "starting", message: `${runner.name} took the job.` });
		}
		const starting = await ctx.db
			.selectFrom("job")
			.selectAll()
			.where("runnerId", "=", runner.id)
			.where("status", "=", "starting")
			.where("runnerKey", "is", null)
			.orderBy("id")
			.execute();
		return {
			// A job whose answer never reached the runner is `starting` and not listed: it is told again.
			start: starting.filter((job) => takesJobs && !listed.has(job.id)).map((job) => runnerJob(ctx, job)),
			cancel: known.filter((job) => mustHearCancel(job, listed)).map((job) => job.id),
			...(await answerToUnmatched(ctx, matched)),
			...passwordsFor(ctx, known, body),
		};
	});
	for (const job of started) publishJob(ctx, job);
	return answer;
}

/** The first account after a sign-in: what the dashboard believes to be running there and is not, is lost. */
async function reconcile(ctx: Context, runner: RunnerRow, body: SyncBody): Promise<void> {
	const { known } = await matchJobs(ctx, runner, body.jobs);
	const listed = new Set(known.map(({ job }) => job.id));
	const lost = await inTransaction(ctx, async (ctx) => {
		const held = await ctx.db
			.selectFrom("job")
			.select(["id", "status", "runnerKey", "createdAt"])
			.where("runnerId", "=", runner.id)
			.where("status", "in", LEASED_STATUSES)
			.execute();
		const gone = held.filter((job) => {
			if (listed.has(job.id)) return false;
			// An auto-record job may have been told between sign-in and this poll.
			if (job.runnerKey !== null) return job.createdAt < (runner.lastSeenAt ?? 0) - 60_000;
			return job.status !== "starting";
		});
		const why =
			"The runner came back without this recording: its data directory was lost. What had been uploaded is kept.";
		const rows = await Promise.all(gone.map((job) => loseJob(ctx, job.id, why)));
		return rows.filter((row) => row !== undefined);
	});
	for (const job of lost) await publishLost(ctx, job);
}

type ListedJob = SyncBody["jobs"][number];
/** What a runner lists, set against its jobs here. */
interface MatchedJobs {
	known: { job: JobRow; cancelSeen: boolean }[];
	unmatched: ListedJob[];
	/** Those of the known that the runner has no key for. */
	identified: JobRow[];
}

/** An id alone does not say which job is meant: after a restore from a backup ids are given again. */
async function matchJobs(ctx: Pick<Context, "db">, runner: RunnerRow, listed: ListedJob[]): Promise<MatchedJobs> {
	const ids = listed.map(({ id }) => id);
	const found =
		ids.length === 0
			? []
			: await ctx.db.selectFrom("job").selectAll().where("runnerId", "=", runner.id).where("id", "in", ids).execute();
	const matched: MatchedJobs = { known: [], unmatched: [], identified: [] };
	for (const each of listed) {
		const job = found.find((job) => isMeant(job, each));
		if (job === undefined) matched.unmatched.push(each);
		else {
			matched.known.push({ job, cancelSeen: each.cancelSeen });
			if (each.identify !== undefined) matched.identified.push(job);
		}
	}
	return matched;
}

function isMeant(job: JobRow, { id, key, identify }: ListedJob): boolean {
	if (job.id !== id) return false;
	if (key !== undefined) return job.key === key;
	return identify === undefined || (job.displayId === identify.displayId && job.name === identify.name);
}

/**
 * What to do with listed jobs that are not this runner's here, and with those whose recording was deleted. A runner
 * from before keys is told nothing of them: it would delete their recordings.
 */
async function answerToUnmatched(
	ctx: Context,
	{ known, unmatched, identified }: MatchedJobs,
): Promise<Pick<SyncAnswer, "unknown" | "forgotten" | "deleted" | "identified">> {
	const keys = unmatched.flatMap(({ key }) => key ?? []);
	const deletedElsewhere = keys.length === 0 ? [] : await deletedJobs(ctx, keys);
	const deletedHere = known.flatMap(({ job }) => (job.recordingDeletedAt === null ? [] : (job.key ?? [])));
	const deleted = [...deletedHere, ...deletedElsewhere];
	const forgotten = unmatched.flatMap(({ id, key }) =>
		key === undefined || deleted.includes(key) ? [] : [{ id, key }],
	);
	const withKey = identified.flatMap(({ id, key }) => (key === null ? [] : [{ id, key }]));
	return {
		unknown: unmatched.flatMap(({ id, identify }) => (identify === undefined ? [] : [id])),
		...(forgotten.length > 0 ? { forgotten } : {}),
		...(deleted.length > 0 ? { deleted } : {}),
		...(withKey.length > 0 ? { identified: withKey } : {}),
	};
}

/** Those of the keys whose job belongs to another runner of the organization, and whose recording was deleted. */
async function deletedJobs(ctx: Context, keys: string[]): Promise<string[]> {
	const rows = await ctx.db
		.selectFrom("job")
		.select("key")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("key", "in", keys)
		.where("recordingDeletedAt", "is not", null)
		.execute();
	return rows.flatMap(({ key }) => key ?? []);
}

function mustHearCancel(job: JobRow, listed: ReadonlyMap<number, boolean>): boolean {
	const running = job.status === "starting" || job.status === "recording" || isProvisional(job);
	return running && job.cancelRequestedAt !== null && listed.get(job.id) === false;
}

/** The grid's passwords that a restarted runner lacks, because it never writes them down; nothing when none is wanted. */
function passwordsFor(ctx: Context, known: JobRow[], body: SyncBody): Pick<SyncAnswer, "passwords"> {
	const wanted = new Set(body.jobs.filter((job) => job.passwordWanted === true).map((job) => job.id));
	if (wanted.size === 0) return {};
	const passwords = known.flatMap((job) =>
		wanted.has(job.id) && job.gridPasswordSealed !== null
			? [{ id: job.id, gridPassword: ctx.secrets.open(job.gridPasswordSealed) }]
			: [],
	);
	return { passwords };
}

/** A job as its runner gets it. Here and in passwordsFor are the only places where the grid's password is opened. */
export function runnerJob(ctx: Context, job: JobRow): RunnerJob {
	const config = JSON.parse(job.stopConditionConfig) as Record<string, unknown>;
	if (job.gridPasswordSealed !== null) config.gridPassword = ctx.secrets.open(job.gridPasswordSealed);
	return {
		id: job.id,
		...(job.key === null ? {} : { key: job.key }),
		displayId: job.displayId,
		name: job.name,
		cancelRequested: job.cancelRequestedAt !== null,
		stopCondition: job.stopCondition,
		stopConditionConfig: config,
	} as RunnerJob;
}
