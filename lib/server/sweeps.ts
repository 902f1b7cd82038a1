/** What the server does by itself, on timers: leases, retention, uploads that nobody finishes. */
import { leaseSweep } from "../runners/expire-leases.ts";
import { type AppContext, contextFor } from "./app-context.ts";

const LEASE_SWEEP_MS = 1_000;

/** Starts the sweeps; they end when the server stops. */
export function startSweeps(app: AppContext): void {
	const leases = leaseSweep(app.clock.now());
	every(app, "leases", LEASE_SWEEP_MS, () => leases(contextFor(app, { kind: "system", organizationId: 0 })));
}

/** Runs `work` again and again, one run at a time; a failed run is told and tried again. */
function every(app: AppContext, name: string, periodMs: number, work: () => Promise<void>): void {
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
