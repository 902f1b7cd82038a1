/** Periodic work of the server: leases, disk space, retention, abandoned uploads, and old records. */
import { sweepAudit } from "#lib/audit/sweep-audit.ts";
import { jobZoneSweep } from "#lib/db/job-zones.ts";
import { createPartitions } from "#lib/db/partitions.ts";
import { sweepIdempotencyKeys } from "#lib/jobs/idempotency.ts";
import { storageWatch } from "#lib/recordings/space/disk-space.ts";
import { sweepDisk, sweepRetention } from "#lib/recordings/space/retention.ts";
import { sweepObjects } from "#lib/recordings/store/object-ledger.ts";
import {
	adoptRecordings,
	recoverUploads,
	removeDeletedElsewhere,
	removeHalfWritten,
	sweepUploads,
} from "#lib/recordings/upload/sweep-uploads.ts";
import { leaseSweep } from "#lib/runners/expire-leases.ts";
import { sweepSeenSessions } from "#lib/runners/seen-sessions.ts";
import { type AppContext, contextFor } from "./app-context.ts";

const LEASE_SWEEP_MS = 1_000;
const STORAGE_WATCH_MS = 500;
const JOB_ZONES_MS = 10_000;
const DELETED_MS = 2_000;
const PARTITIONS_MS = 60_000;
const RETENTION_SWEEP_MS = 60_000;
const OBJECT_SWEEP_MS = 10_000;
const UPLOAD_SWEEP_MS = 10 * 60_000;
const AUDIT_SWEEP_MS = 60 * 60_000;
const IDEMPOTENCY_SWEEP_MS = 60 * 60_000;

/**
 * Recovers what the previous process left unfinished, then starts the sweeps, which end when the server stops.
 * @param sweepMs how often retention and abandoned uploads are swept; for tests.
 */
export async function startSweeps(app: AppContext, sweepMs?: number): Promise<void> {
	// Each sweep sets the organization, one after the other.
	const ctx = contextFor(app, { kind: "system", organizationId: 0 });
	await removeHalfWritten(ctx);
	recoverUploads(ctx, app.stopping)
		.then(() => adoptRecordings(ctx, app.stopping))
		.catch((error) => {
			if (!app.stopping.aborted) app.log.error({ err: error }, "could not recover all unfinished uploads");
		});
	if (app.leases.shared) every(app, "deleted elsewhere", DELETED_MS, () => removeDeletedElsewhere(ctx));
	/** Work that one process does for all that share the database. */
	const shared = (name: string, periodMs: number, work: (lost: AbortSignal) => Promise<unknown>) =>
		every(app, name, periodMs, () => app.claims.perform(name, periodMs, work));
	const leases = leaseSweep(app.clock.now(), (work) => app.claims.perform("leases", LEASE_SWEEP_MS, work));
	every(app, "leases", LEASE_SWEEP_MS, () => leases(ctx));
	const watchStorage = storageWatch();
	every(app, "storage", STORAGE_WATCH_MS, () => watchStorage(ctx));
	const noteJobs = jobZoneSweep();
	every(app, "job zones", JOB_ZONES_MS, () => noteJobs(ctx));
	shared("partitions", PARTITIONS_MS, () => createPartitions(app.db, app.clock.now()));
	shared("retention", sweepMs ?? RETENTION_SWEEP_MS, (lost) =>
		sweepRetention(ctx, AbortSignal.any([lost, app.stopping])),
	);
	every(app, "disk limit", sweepMs ?? RETENTION_SWEEP_MS, () => sweepDisk(ctx, app.stopping));
	every(app, "uploads", sweepMs ?? UPLOAD_SWEEP_MS, () => sweepUploads(ctx));
	const { bucket } = app;
	if (bucket !== null) {
		shared("objects", sweepMs ?? OBJECT_SWEEP_MS, (lost) =>
			sweepObjects(ctx, bucket, AbortSignal.any([lost, app.stopping])),
		);
	}
	shared("grid sessions", AUDIT_SWEEP_MS, () => sweepSeenSessions(ctx));
	shared("audit log", AUDIT_SWEEP_MS, () => sweepAudit(ctx));
	shared("idempotency keys", IDEMPOTENCY_SWEEP_MS, () => sweepIdempotencyKeys(ctx));
}

/** Runs `work` periodically, never two runs at once. Failed runs are logged and retried. */
function every(app: AppContext, name: string, periodMs: number, work: () => Promise<unknown>): void {
	let timer: NodeJS.Timeout;
	const run = async () => {
		try {
			await work();
		} catch (error) {
			app.log.error({ err: error, sweep: name }, "a sweep failed and will be retried");
		}
		if (!app.stopping.aborted) timer = setTimeout(run, periodMs);
	};
	timer = setTimeout(run, periodMs);
	app.stopping.addEventListener("abort", () => clearTimeout(timer));
}
