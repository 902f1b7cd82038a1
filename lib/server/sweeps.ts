/** What the server does by itself, on timers: leases, room on the disk, retention, uploads that nobody finishes. */
import { sweepAudit } from "../audit/sweep-audit.ts";
import { storageWatch } from "../recordings/disk-room.ts";
import { sweepRetention } from "../recordings/space/retention.ts";
import { recoverUploads, sweepUploads } from "../recordings/sweep-uploads.ts";
import { leaseSweep } from "../runners/expire-leases.ts";
import { type AppContext, contextFor } from "./app-context.ts";

const LEASE_SWEEP_MS = 1_000;
const STORAGE_WATCH_MS = 500;
const RETENTION_SWEEP_MS = 60_000;
const UPLOAD_SWEEP_MS = 10 * 60_000;
const AUDIT_SWEEP_MS = 60 * 60_000;

/** Takes up what the last life of this process left half-done, then starts the sweeps; they end when the server stops. */
export async function startSweeps(app: AppContext): Promise<void> {
	// The organization is set by each sweep, one after the other.
	const ctx = contextFor(app, { kind: "system", organizationId: 0 });
	await recoverUploads(ctx);
	const leases = leaseSweep(app.clock.now());
	every(app, "leases", LEASE_SWEEP_MS, () => leases(ctx));
	const watchStorage = storageWatch();
	every(app, "storage", STORAGE_WATCH_MS, () => watchStorage(ctx));
	every(app, "retention", RETENTION_SWEEP_MS, () => sweepRetention(ctx));
	every(app, "uploads", UPLOAD_SWEEP_MS, () => sweepUploads(ctx));
	every(app, "audit log", AUDIT_SWEEP_MS, () => sweepAudit(ctx));
}

/** Runs `work` again and again, one run at a time; a failed run is told and tried again. */
function every(app: AppContext, name: string, periodMs: number, work: () => Promise<unknown>): void {
	let timer: NodeJS.Timeout;
	const run = async () => {
		try {
			await work();
		} catch (error) {
			app.log.error({ err: error, sweep: name }, "a sweep failed; it is tried again");
		}
		if (!app.stopping.aborted) timer = setTimeout(run, periodMs);
	};
	timer = setTimeout(run, periodMs);
	app.stopping.addEventListener("abort", () => clearTimeout(timer));
}
