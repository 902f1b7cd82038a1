/** Periodic work of the server: leases, disk space, retention, abandoned uploads, and old records. */
import { sweepAudit } from "#lib/audit/sweep-audit.ts";
import { jobZoneSweep } from "#lib/db/job-zones.ts";
import { type AppContext, contextFor } from "#lib/http/app-context.ts";
import { sweepIdempotencyKeys } from "#lib/jobs/idempotency.ts";
import { LOOK_MS as SCHEDULES_LOOK_MS, startScheduledJobs } from "#lib/jobs/start-scheduled-jobs.ts";
import { noteStoredBytes } from "#lib/recordings/daily-totals.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import { watchClock } from "#lib/recordings/space/clock-watch.ts";
import { emptyTrashOfFullDisk, sweepDisk, sweepRetention, sweepTrash } from "#lib/recordings/space/retention.ts";
import { storageWatch } from "#lib/recordings/space/storage-status.ts";
import { sweepObjects } from "#lib/recordings/store/object-ledger.ts";
import { sweepTracks } from "#lib/recordings/tracks/sweep-tracks.ts";
import {
	adoptRecordings,
	recoverUploads,
	removeDeletedElsewhere,
	removeHalfWritten,
	removeTakenOver,
	sweepUploads,
} from "#lib/recordings/upload/sweep-uploads.ts";
import { leaseSweep } from "#lib/runners/expire-leases.ts";
import { sweepSeenSessions } from "#lib/runners/seen-sessions.ts";
import { sweepRunners } from "#lib/runners/sweep-runners.ts";
import { frameSweep } from "#lib/test-results/failure-frames.ts";
import { sweepAttachments } from "#lib/test-results/sweep-attachments.ts";
import { sweepCauses } from "#lib/test-results/sweep-causes.ts";
import { sweepResults } from "#lib/test-results/sweep-results.ts";
import { sweepTestRuns } from "#lib/test-results/test-runs.ts";
import { finishAnnouncedBuilds, finishQuietBuilds } from "#lib/webhooks/build-ends.ts";
import { sweepDeliveries } from "#lib/webhooks/deliveries.ts";
import { deleteOrganizations } from "./delete-organizations.ts";
import { noteLastIds } from "./id-watermark.ts";
import { repeatedLog } from "./logger.ts";

const LEASE_SWEEP_MS = 2_000;
const STORAGE_WATCH_MS = 1_000;
const CLOCK_MS = 10_000;
/** Dashboards that share a database start jobs in turn. */
const SCHEDULES_CLAIM_MS = 50;
const JOB_ZONES_MS = 10_000;
const LAST_IDS_MS = 60_000;
const DELETED_MS = 2_000;
const TAKEN_OVER_MS = 60_000;
const RETENTION_SWEEP_MS = 60_000;
/** A full disk has uploads waiting. */
const FULL_DISK_SWEEP_MS = 2_000;
const TRASH_SWEEP_MS = 10_000;
const OBJECT_SWEEP_MS = 10_000;
/** People look at a failure as soon as the video plays. */
const FRAME_SWEEP_MS = 2_000;
const RECOVER_AGAIN_MS = 2_000;
const BUCKET_PROBE_MS = 30_000;
const UPLOAD_SWEEP_MS = 10 * 60_000;
const RUNNER_SWEEP_MS = 10_000;
const CAUSE_SWEEP_MS = 10_000;
const ATTACHMENT_SWEEP_MS = 10_000;
const TEST_RUN_SWEEP_MS = 60_000;
const WEBHOOKS_MS = 500;
const BUILD_ENDS_MS = 2_000;
/** Builds are quiet for a quarter of an hour. */
const QUIET_BUILDS_MS = 30_000;
const AUDIT_SWEEP_MS = 60 * 60_000;
const ORGANIZATION_SWEEP_MS = 60_000;
const IDEMPOTENCY_SWEEP_MS = 60 * 60_000;
const STORED_BYTES_MS = 5 * 60_000;

/**
 * Recovers work that the previous process left unfinished, then starts the sweeps, which end when the server stops.
 * @param sweepMs the interval at which retention is applied and abandoned uploads are cleaned up; for tests.
 */
export async function startSweeps(app: AppContext, sweepMs?: number): Promise<void> {
	// Each sweep sets the organization, one after the other.
	const ctx = contextFor(app, { kind: "system", organizationId: 0 });
	const every = sweeper(app);
	await removeHalfWritten(ctx);
	// Retried until it succeeds: the database may become unreachable in the meantime.
	const recover = (): Promise<void> =>
		recoverUploads(ctx, app.stopping)
			.then(() => adoptRecordings(ctx, app.stopping))
			.catch((error) => {
				if (app.stopping.aborted) return;
				app.log.error({ err: error }, "could not recover all unfinished uploads; trying again");
				setTimeout(recover, RECOVER_AGAIN_MS).unref();
			});
	void recover();
	if (app.leases.shared) {
		every("deleted elsewhere", DELETED_MS, () => removeDeletedElsewhere(ctx));
		every("taken over", sweepMs ?? TAKEN_OVER_MS, () => removeTakenOver(ctx));
	}
	/** Work that one process does for all that share the database. */
	const shared = (name: string, periodMs: number, work: (lost: AbortSignal) => Promise<unknown>) =>
		every(name, periodMs, () => app.claims.perform(name, periodMs, work));
	/** For work that would delete too much if the clock has jumped ahead. The clock may also jump during the work. */
	const byTheClock = async (work: (ctx: RecordingContext) => Promise<unknown>) => {
		const { now, doubtedBy } = await watchClock(ctx);
		if (doubtedBy.size === 0) await work({ ...ctx, clock: { now: () => now } });
	};
	every("clock", sweepMs ?? CLOCK_MS, () => watchClock(ctx));
	const leases = leaseSweep(app.clock.now(), (work) => app.claims.perform("leases", LEASE_SWEEP_MS, work));
	every("leases", LEASE_SWEEP_MS, () => leases(ctx));
	const startDueJobs: () => void = every("schedules", SCHEDULES_LOOK_MS, () =>
		app.claims.perform("schedules", SCHEDULES_CLAIM_MS, async () => {
			const soonMs = await startScheduledJobs(ctx);
			if (soonMs !== null) setTimeout(startDueJobs, soonMs).unref();
		}),
	);
	const watchStorage = storageWatch();
	every("storage", STORAGE_WATCH_MS, () => watchStorage(ctx));
	const noteJobs = jobZoneSweep();
	every("job zones", JOB_ZONES_MS, () => noteJobs(ctx));
	every("last ids", LAST_IDS_MS, () => noteLastIds(app.db, app.dataDir));
	shared("retention", sweepMs ?? RETENTION_SWEEP_MS, (lost) =>
		sweepRetention(ctx, AbortSignal.any([lost, app.stopping])),
	);
	const limitDisk = every("disk limit", sweepMs ?? RETENTION_SWEEP_MS, () => sweepDisk(ctx, app.stopping));
	// Uploads wait for the space that it frees.
	app.events.subscribe((change) => {
		if (change.type === "storage" && change.storage.waitsFor === "disk") limitDisk();
	});
	shared("trash", sweepMs ?? TRASH_SWEEP_MS, (lost) => sweepTrash(ctx, AbortSignal.any([lost, app.stopping])));
	every("full disk", sweepMs ?? FULL_DISK_SWEEP_MS, () => emptyTrashOfFullDisk(ctx, app.stopping));
	const takeFrames = frameSweep(app.stopping);
	every("failure frames", sweepMs ?? FRAME_SWEEP_MS, () => takeFrames(ctx));
	shared("causes", sweepMs ?? CAUSE_SWEEP_MS, (lost) => sweepCauses(ctx, AbortSignal.any([lost, app.stopping])));
	shared("test results", sweepMs ?? AUDIT_SWEEP_MS, (lost) =>
		byTheClock((ctx) => sweepResults(ctx, AbortSignal.any([lost, app.stopping]))),
	);
	shared("attachments", sweepMs ?? ATTACHMENT_SWEEP_MS, (lost) =>
		byTheClock((ctx) => sweepAttachments(ctx, AbortSignal.any([lost, app.stopping]))),
	);
	shared("test runs", sweepMs ?? TEST_RUN_SWEEP_MS, () => byTheClock(sweepTestRuns));
	shared("tracks", sweepMs ?? AUDIT_SWEEP_MS, (lost) =>
		byTheClock((ctx) => sweepTracks(ctx, AbortSignal.any([lost, app.stopping]))),
	);
	every("uploads", sweepMs ?? UPLOAD_SWEEP_MS, () => byTheClock(sweepUploads));
	const { bucket } = app;
	if (bucket !== null) {
		// Otherwise an outage would stay unnoticed while nothing is recorded.
		every("object store", sweepMs ?? BUCKET_PROBE_MS, () => bucket.probe(sweepMs ?? BUCKET_PROBE_MS));
		shared("objects", sweepMs ?? OBJECT_SWEEP_MS, (lost) =>
			byTheClock((ctx) => sweepObjects(ctx, bucket, AbortSignal.any([lost, app.stopping]))),
		);
	}
	shared("runners", sweepMs ?? RUNNER_SWEEP_MS, (lost) =>
		byTheClock((ctx) => sweepRunners(ctx, app.runnerOfflineDays, AbortSignal.any([lost, app.stopping]))),
	);
	const { delivery } = app.webhooks;
	app.events.subscribe(() => delivery.wake());
	shared("webhooks", WEBHOOKS_MS, (lost) => delivery.run(ctx, AbortSignal.any([lost, app.stopping])));
	shared("build ends", sweepMs ?? BUILD_ENDS_MS, () => finishAnnouncedBuilds(ctx));
	shared("quiet builds", sweepMs ?? QUIET_BUILDS_MS, () => finishQuietBuilds(ctx));
	shared("webhook deliveries", AUDIT_SWEEP_MS, (lost) =>
		byTheClock((ctx) => sweepDeliveries(ctx, AbortSignal.any([lost, app.stopping]))),
	);
	shared("deleted organizations", sweepMs ?? ORGANIZATION_SWEEP_MS, (lost) =>
		byTheClock((ctx) => deleteOrganizations(ctx, AbortSignal.any([lost, app.stopping]))),
	);
	shared("grid sessions", AUDIT_SWEEP_MS, () => byTheClock(sweepSeenSessions));
	shared("stored bytes", STORED_BYTES_MS, () => byTheClock(noteStoredBytes));
	shared("audit log", AUDIT_SWEEP_MS, () => byTheClock(sweepAudit));
	shared("idempotency keys", IDEMPOTENCY_SWEEP_MS, () => byTheClock(sweepIdempotencyKeys));
}

/**
 * @returns what runs `work` periodically, never two runs at once, and returns what brings the next run forward. Failed runs
 *   are logged and retried.
 */
function sweeper(app: AppContext) {
	const failed = repeatedLog(app.log);
	return (name: string, periodMs: number, work: () => Promise<unknown>): (() => void) => {
		let timer: NodeJS.Timeout;
		let isRunning = false;
		const run = async () => {
			isRunning = true;
			try {
				await work();
			} catch (error) {
				// While the database is unreachable, all sweeps fail for the same reason.
				const reason = (error as Error).message;
				failed(reason, "error", { err: error, sweep: name }, "a sweep failed and will be retried");
			}
			isRunning = false;
			if (!app.stopping.aborted) timer = setTimeout(run, periodMs);
		};
		timer = setTimeout(run, periodMs);
		app.stopping.addEventListener("abort", () => clearTimeout(timer));
		return () => {
			if (isRunning || app.stopping.aborted) return;
			clearTimeout(timer);
			timer = setTimeout(run);
		};
	};
}
