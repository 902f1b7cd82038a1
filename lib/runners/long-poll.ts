/** The runner's long poll: it lists its jobs and receives work: jobs to start, jobs to cancel, pictures to send. */
import { LEASED_STATUSES } from "@tapedeck/contract/job-status.ts";
import { newDisplaySchema } from "@tapedeck/contract/new-display.ts";
import { NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import { PICTURE_WIDTH } from "@tapedeck/contract/runner.ts";
import type { RunnerJob, SyncAnswer, SyncBody } from "@tapedeck/contract/runner-protocol.ts";
import { type Change, type Context, inTransaction } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { pollUntil } from "#lib/core/poll-until.ts";
import { firstWaiting, fittingPool, freeDisplays, lockWaiting } from "#lib/jobs/selector.ts";
import { addJobEvent, type JobRow, lockRunner, moveJob, publishJob } from "#lib/lifecycle/job-store.ts";
import { readLabels, readVideoOptions, recordingSettings, rulesOnRunner } from "#lib/lifecycle/labels.ts";
import { loseJob, publishLost, returnJob } from "#lib/lifecycle/lose-job.ts";
import { readPrivacy } from "#lib/lifecycle/privacy.ts";
import { openStopRule } from "#lib/lifecycle/stop-rule.ts";
import { gridUrlOf, limitRefusal } from "#lib/lifecycle/token-limits.ts";
import { isProvisional } from "#lib/lifecycle/transitions.ts";
import type { DisplayPictures, Shot } from "./display-pictures.ts";
import type { LastSeen } from "./last-seen.ts";
import type { RunnerPresence } from "./presence.ts";
import { noteRunner, type PollingRunner, pollingRunner, runnerOfSession } from "./runner-session.ts";
import type { RunnerRow } from "./runner-view.ts";

/** This process's state of the runners connected to it. */
export type ConnectedRunners = { presence: RunnerPresence; lastSeen: LastSeen; pictures: DisplayPictures };

/**
 * Answers as soon as there is something to start, cancel or send, and after `waitSeconds` at the latest.
 *
 * @param signal aborts when the caller disconnects or the server stops.
 * @throws session_superseded if the runner has to sign in again.
 */
export async function syncRunner(
	ctx: Context,
	{ presence, lastSeen, pictures }: ConnectedRunners,
	body: SyncBody,
	signal: AbortSignal,
): Promise<SyncAnswer> {
	const { delivered } = ctx.events;
	const runner = await pollingRunner(ctx, body.sessionId);
	const closed = presence.pollOpened(runner.id, body.sessionId);
	const pollUntil = presence.pollsUntil(ctx.clock.now(), body.waitSeconds);
	let broke = true;
	try {
		const isBack = await noteRunner(ctx, lastSeen, runner, {
			until: pollUntil,
			waitingBytes: body.waitingBytes ?? null,
		});
		if (runner.removedAt !== null) return await answerRemovedRunner(ctx, body);
		const isFirst =
			presence.mayBeFirstSync(runner.id, body.sessionId) && (await reconcile(ctx, presence, runner, body));
		if ((isBack || isFirst) && body.takesJobs !== false) await resumeUnspooled(ctx, runner);
		const resendReports = isFirst && body.jobs.length > 0;
		const waitSeconds = resendReports ? 0 : body.waitSeconds;
		// The row that was read above is still current unless something has changed since.
		const isCurrent = !isBack && !isFirst && ctx.events.delivered === delivered;
		const known = isCurrent ? runner : null;
		const answer = await waitForWork(ctx, runner.id, known, pictures, { ...body, waitSeconds }, signal);
		broke = signal.aborted;
		const video = runner.video === null ? answer : { ...answer, video: readVideoOptions(runner) };
		return resendReports ? { ...video, resendReports } : video;
	} finally {
		closed(broke);
		if (broke) await presence.pollBroke(ctx.db, lastSeen, runner.id, pollUntil);
	}
}

const NOTHING: SyncAnswer = { start: [], cancel: [] };

/** @param known the runner as it is now; null to read it again. */
function waitForWork(
	ctx: Context,
	runnerId: number,
	known: PollingRunner | null,
	pictures: DisplayPictures,
	body: SyncBody,
	signal: AbortSignal,
): Promise<SyncAnswer> {
	const poll = async (): Promise<SyncAnswer> => {
		// A disconnected caller must not be handed jobs: they would stay stuck until its successor's first poll.
		if (signal.aborted) return NOTHING;
		// While this poll waited, the runner may have signed in from another process, or may have been removed.
		const runner = known ?? (await pollingRunner(ctx, body.sessionId));
		known = null;
		if (runner.removedAt !== null) return answerRemovedRunner(ctx, body);
		const answer = mayHaveWork(runner, body) ? await findWork(ctx, runner, body) : NOTHING;
		const requested = pictures.takeRequests(runnerId);
		return requested.length === 0 ? answer : { ...answer, ...pictureFields(requested) };
	};
	const isRelevant = (change: Change) => "runnerId" in change && change.runnerId === runnerId;
	// Every change of a runner's work is published; the next poll reads again anyway.
	const wait = { read: poll, isFinal, isRelevant, timeoutMs: body.waitSeconds * 1000, readsAtEnd: false };
	return pollUntil(ctx, wait, signal);
}

/** Runners that are older know only the usual width. */
function pictureFields(requested: readonly Shot[]): Pick<SyncAnswer, "pictures" | "widePictures"> {
	const [usual, wide] = [[] as string[], [] as Shot[]];
	for (const shot of requested) shot.width === PICTURE_WIDTH ? usual.push(shot.displayId) : wide.push(shot);
	return { ...(usual.length === 0 ? {} : { pictures: usual }), ...(wide.length === 0 ? {} : { widePictures: wide }) };
}

const isFinal = (answer: SyncAnswer): boolean =>
	answer.start.length + answer.cancel.length > 0 ||
	answer.forgotten !== undefined ||
	answer.deleted !== undefined ||
	answer.passwords !== undefined ||
	answer.privacy !== undefined ||
	answer.removed === true ||
	answer.pictures !== undefined ||
	answer.widePictures !== undefined;

/**
 * Answers a removed runner: while it has recordings, that it must end and upload them; then that its session is over.
 *
 * @throws runner_removed if it has nothing left.
 */
async function answerRemovedRunner(ctx: Context, body: SyncBody): Promise<SyncAnswer> {
	const runner = await runnerOfSession(ctx, body.sessionId);
	const { known } = await matchJobs(ctx, runner, body.jobs);
	if (!known.some(({ job }) => (LEASED_STATUSES as readonly string[]).includes(job.status))) {
		throw new TapedeckError(
			"runner_removed",
			`The runner ${runner.name} was removed from the dashboard. Start it again to add it as a new runner.`,
		);
	}
	return { start: [], cancel: [], removed: true };
}

/** Whether jobs may wait for the runner, or there may be something to tell it about those it lists. */
const mayHaveWork = ({ hasJobs, hasPool }: PollingRunner, { jobs, takesJobs }: SyncBody): boolean =>
	Boolean(hasJobs) || (Boolean(hasPool) && takesJobs !== false) || jobs.length > 0;

/** Includes the virtual displays that programs of its machine have. */
type WorkingRunner = RunnerRow & PollingRunner & { lentDisplays: number };

async function findWork(ctx: Context, polling: PollingRunner, body: SyncBody): Promise<SyncAnswer> {
	const { lentDisplays = 0 } = body;
	const runner = { ...(await runnerOfSession(ctx, body.sessionId)), ...polling, lentDisplays };
	return (await hasWork(ctx, runner, body)) ? collectWork(ctx, runner, body) : NOTHING;
}

/** Whether `collectWork` might find anything. Most polls find nothing, and then need no transaction. */
async function hasWork(ctx: Context, runner: WorkingRunner, body: SyncBody): Promise<boolean> {
	if (runner.hasJobs) return true;
	if (runner.hasPool && body.takesJobs !== false && (await findFittingPool(ctx, runner)) !== undefined) return true;
	if (body.jobs.length === 0) return false;
	const matched = await matchJobs(ctx, runner, body.jobs);
	const { known, unmatched } = matched;
	const isDone = ({ job }: MatchedJobs["known"][number]) => !isProvisional(job) && job.recordingDeletedAt === null;
	if (unmatched.length > 0 || !known.every(isDone)) return true;
	const listed = new Map(known.map(({ job, cancelSeen }) => [job.id, cancelSeen]));
	return (
		known.some(({ job }) => needsCancel(job, listed)) ||
		privacyFor(matched.known).privacy !== undefined ||
		body.jobs.some((job) => job.passwordWanted === true)
	);
}

async function collectWork(ctx: Context, runner: WorkingRunner, body: SyncBody): Promise<SyncAnswer> {
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
					.select(["id", "type", "displayId", "newDisplay", "stopConditionConfig"])
					.where("runnerId", "=", runner.id)
					.where("status", "=", "queued")
					.where("selector", "is", null)
					.orderBy("id")
					.execute();
		for (const each of queued) {
			if (each.newDisplay !== null && (await areDisplaysUsedUp(ctx, runner))) {
				if (runner.lentDisplays > 0) await sayThatDisplaysAreLent(ctx, runner, each.id);
				continue;
			}
			const job = (await failForbidden(ctx, runner, each)) ?? (await takeJob(ctx, runner, each.id));
			if (job !== undefined) started.push(job);
		}
		if (takesJobs && runner.hasPool) started.push(...(await takeFromPool(ctx, runner)));
		const starting = await ctx.db
			.selectFrom("job")
			.selectAll()
			.where("runnerId", "=", runner.id)
			.where("status", "=", "starting")
			.where("runnerKey", "is", null)
			.orderBy("id")
			.execute();
		return {
			// A job that is `starting` but not listed never reached the runner: it is sent again.
			start: starting.filter((job) => takesJobs && !listed.has(job.id)).map((job) => runnerJob(ctx, job)),
			cancel: known.filter((job) => needsCancel(job, listed)).map((job) => job.id),
			...(await resolveUnmatched(ctx, matched)),
			...passwordsFor(ctx, known, body),
			...privacyFor(matched.known),
		};
	});
	for (const job of started) publishJob(ctx, job);
	return answer;
}

/** Takes a queued job for this runner, applying the settings in the runner's environment. */
async function takeJob(
	ctx: Context,
	runner: RunnerRow,
	jobId: number,
	place: { runnerId?: number; displayId?: string } = {},
): Promise<JobRow | undefined> {
	const moved = await moveJob(ctx, jobId, "starting", place, { from: ["queued"] });
	if (moved === undefined) return undefined;
	await addJobEvent(ctx, jobId, { type: "starting", message: `${runner.name} accepted the job.` });
	const settings = await recordingSettings(ctx, moved.organizationId);
	const rules = rulesOnRunner({ ...moved, labels: readLabels(moved) }, runner, settings);
	const isSame =
		rules.labels === moved.labels && rules.keep === moved.keep && rules.maxDurationSeconds === moved.maxDurationSeconds;
	if (isSame) return moved;
	return ctx.db.updateTable("job").set(rules).where("id", "=", jobId).returningAll().executeTakeFirstOrThrow();
}

/** Fails a job that the runner's token no longer allows: the runner signed in with another one meanwhile. */
async function failForbidden(
	ctx: Context,
	runner: RunnerRow,
	job: Pick<JobRow, "id" | "type" | "displayId" | "stopConditionConfig">,
): Promise<JobRow | undefined> {
	const refusal = limitRefusal(runner, { ...job, gridUrl: gridUrlOf(job) });
	if (refusal === null) return undefined;
	const { reason, message } = refusal;
	const set = { stopReason: reason, errorMessage: message, endedAt: ctx.clock.now() };
	const failed = await moveJob(ctx, job.id, "failed", set, { from: ["queued"] });
	if (failed !== undefined) await addJobEvent(ctx, job.id, { type: reason, message });
	return failed;
}

/**
 * Whether a job that asks for a new display has to wait. It does not wait for a runner that has been started without
 * virtual displays meanwhile, which refuses it with the reason.
 */
const areDisplaysUsedUp = async (ctx: Context, runner: WorkingRunner): Promise<boolean> =>
	runner.virtualDisplays !== null && !(await freeDisplays(ctx, runner)).includes(NEW_DISPLAY);

/** The job was created while the dashboard counted a display for it. Said once. */
async function sayThatDisplaysAreLent(ctx: Context, runner: WorkingRunner, jobId: number): Promise<void> {
	const said = await ctx.db
		.selectFrom("jobEvent")
		.select("id")
		.where("jobId", "=", jobId)
		.where("type", "=", "waiting")
		.limit(1)
		.executeTakeFirst();
	if (said !== undefined) return;
	const { name, virtualDisplays, lentDisplays } = runner;
	const message = `Waiting: all ${virtualDisplays} virtual displays of ${name} are in use, ${lentDisplays} of them by programs of its machine.`;
	await addJobEvent(ctx, jobId, { type: "waiting", message, data: { virtualDisplays, lentDisplays } });
}

/** The pool whose oldest job has waited longest, of those for which this runner has a free display now. */
async function findFittingPool(ctx: Context, runner: WorkingRunner, except?: ReadonlySet<string>) {
	const waiting = (await firstWaiting(ctx)).filter(({ pool }) => except?.has(pool) !== true);
	if (waiting.length === 0) return undefined;
	return fittingPool(waiting, runner, await freeDisplays(ctx, runner));
}

/** Takes one job for each free display. */
async function takeFromPool(ctx: Context, runner: WorkingRunner): Promise<JobRow[]> {
	// A second poll of this runner, at another dashboard process, would find the same displays free.
	await lockRunner(ctx, runner.id);
	const taken: JobRow[] = [];
	const takenByOthers = new Set<string>();
	for (;;) {
		const next = await findFittingPool(ctx, runner, takenByOthers);
		if (next === undefined) return taken;
		const { pool, displayId } = next;
		const id = await lockWaiting(ctx, pool, runner);
		const job = id === undefined ? undefined : await takeJob(ctx, runner, id, { runnerId: runner.id, displayId });
		if (job === undefined) takenByOthers.add(pool);
		else taken.push(job);
	}
}

/**
 * On the first list after a sign-in: jobs that should be running on the runner but aren't listed are lost.
 * @returns false if it is not the first.
 */
async function reconcile(
	ctx: Context,
	presence: RunnerPresence,
	runner: PollingRunner,
	body: SyncBody,
): Promise<boolean> {
	const { known } = await matchJobs(ctx, runner, body.jobs);
	const listed = new Set(known.map(({ job }) => job.id));
	const lost = await inTransaction(ctx, async (ctx) => {
		if (!(await presence.isFirstSync(ctx.db, runner.id, body.sessionId))) return null;
		const held = await ctx.db
			.selectFrom("job")
			.select(["id", "status", "runnerKey", "createdAt"])
			.where("runnerId", "=", runner.id)
			.where("status", "in", LEASED_STATUSES)
			.execute();
		const gone = held.filter((job) => {
			if (listed.has(job.id)) return false;
			// An auto-record job may have been created between sign-in and this poll.
			if (job.runnerKey !== null) return job.createdAt < (runner.lastSeenAt ?? 0) - 60_000;
			return job.status !== "starting";
		});
		const why =
			"The runner returned without this recording because its data directory was lost. What was uploaded is kept.";
		const rows = await Promise.all(gone.map((job) => loseJob(ctx, job.id, why)));
		return rows.filter((row) => row !== undefined);
	});
	if (lost === null) return false;
	for (const job of lost) await publishLost(ctx, job);
	return true;
}

/**
 * Resumes lost jobs of which the runner keeps nothing, once it is back: they are sent to it again, as those whose lease has not
 * expired. An upload continues at its offset.
 */
async function resumeUnspooled(ctx: Context, { id }: PollingRunner): Promise<void> {
	const resumed = await inTransaction(ctx, async (ctx) => {
		const lost = await ctx.db
			.selectFrom("job")
			.selectAll()
			.where("runnerId", "=", id)
			.where("status", "=", "failed")
			.where("stopReason", "=", "runner_lost")
			.where("type", "!=", "recording")
			.where("startedAt", "is", null)
			.where("recordingDeletedAt", "is", null)
			.orderBy("id")
			.execute();
		const rows = [];
		for (const job of lost) rows.push(await returnJob(ctx, job));
		return rows.filter((row) => row !== undefined);
	});
	for (const job of resumed) publishJob(ctx, job);
}

type ListedJob = SyncBody["jobs"][number];
/** The runner's listed jobs, matched with its jobs in the database. */
interface MatchedJobs {
	known: { job: JobRow; cancelSeen: boolean; privacyVersion: number | undefined }[];
	unmatched: ListedJob[];
}

/** Ids alone don't identify jobs: after a restore from a backup they are assigned again. */
async function matchJobs(
	ctx: Pick<Context, "db">,
	runner: Pick<RunnerRow, "id">,
	listed: ListedJob[],
): Promise<MatchedJobs> {
	const ids = listed.map(({ id }) => id);
	const found =
		ids.length === 0
			? []
			: await ctx.db.selectFrom("job").selectAll().where("runnerId", "=", runner.id).where("id", "in", ids).execute();
	const matched: MatchedJobs = { known: [], unmatched: [] };
	for (const each of listed) {
		const job = found.find(({ id, key }) => id === each.id && key === each.key);
		if (job === undefined) matched.unmatched.push(each);
		else matched.known.push({ job, cancelSeen: each.cancelSeen, privacyVersion: each.privacyVersion });
	}
	return matched;
}

/** Decides about listed jobs that this runner does not have here, and about jobs whose recording was deleted. */
async function resolveUnmatched(
	ctx: Context,
	{ known, unmatched }: MatchedJobs,
): Promise<Pick<SyncAnswer, "forgotten" | "deleted">> {
	const keys = unmatched.map(({ key }) => key);
	const deletedElsewhere = keys.length === 0 ? [] : await deletedJobs(ctx, keys);
	const deletedHere = known.flatMap(({ job }) => (job.recordingDeletedAt === null ? [] : [job.key]));
	const deleted = [...deletedHere, ...deletedElsewhere];
	const forgotten = unmatched.flatMap(({ id, key }) => (deleted.includes(key) ? [] : [{ id, key }]));
	return {
		...(forgotten.length > 0 ? { forgotten } : {}),
		...(deleted.length > 0 ? { deleted } : {}),
	};
}

/** The keys whose job belongs to another runner of the organization and whose recording was deleted. */
async function deletedJobs(ctx: Context, keys: string[]): Promise<string[]> {
	const rows = await ctx.db
		.selectFrom("job")
		.select("key")
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("key", "in", keys)
		.where("recordingDeletedAt", "is not", null)
		.execute();
	return rows.map(({ key }) => key);
}

function needsCancel(job: JobRow, listed: ReadonlyMap<number, boolean>): boolean {
	const running = job.status === "starting" || job.status === "recording" || isProvisional(job);
	return running && job.cancelRequestedAt !== null && listed.get(job.id) === false;
}

/** The grid passwords a restarted runner needs again, because it never writes them to disk; empty if none. */
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

/** The changes of privacy that a runner which can record black does not have yet; empty if none. */
function privacyFor(known: MatchedJobs["known"]): Pick<SyncAnswer, "privacy"> {
	const privacy = known.flatMap(({ job, privacyVersion }) => {
		if (job.privacy === null || privacyVersion === undefined) return [];
		const { version, on } = readPrivacy(job);
		return version > privacyVersion ? [{ id: job.id, version, on }] : [];
	});
	return privacy.length === 0 ? {} : { privacy };
}

/** The order for a job that starts in private mode, because a user or a script asked for privacy. */
function privacyOrder(job: JobRow): Pick<RunnerJob, "type" | "privacy"> {
	if (job.privacy === null) return {};
	const { version, on } = readPrivacy(job);
	return { privacy: { version, on }, ...(on ? { type: "private_recording" } : {}) };
}

/** The size of the display that the runner is to make, if one was asked for. */
function newDisplayOrder({ newDisplay }: JobRow): Pick<RunnerJob, "display"> {
	const display = newDisplaySchema.safeParse(JSON.parse(newDisplay ?? "{}")).data;
	return display === undefined ? {} : { display };
}

/** A job as its runner receives it. Only this and `passwordsFor` decrypt the grid password. */
export function runnerJob(ctx: Context, job: JobRow): RunnerJob {
	return {
		id: job.id,
		key: job.key,
		displayId: job.displayId,
		...newDisplayOrder(job),
		name: job.name,
		cancelRequested: job.cancelRequestedAt !== null,
		...(job.maxDurationSeconds === null ? {} : { maxDurationSeconds: job.maxDurationSeconds }),
		...(job.video === null ? {} : { video: readVideoOptions(job) }),
		...(job.preSeconds === 0 ? {} : { preSeconds: job.preSeconds }),
		...(job.type === "recording" ? privacyOrder(job) : { type: job.type }),
		...(job.filePath === null ? {} : { path: job.filePath }),
		...openStopRule(ctx, job),
	};
}
