/**
 * Recordings that do not belong to the dashboard at which the runner is signed in. They are kept, not sent, until the
 * runner signs in at theirs, or a user assigns them to this one.
 */
import { basename } from "node:path";
import type { RunnerLog } from "./base/log.ts";
import type { Connection } from "./dashboard/connection.ts";
import type { JobRuns } from "./job-runs.ts";
import type { JobRun } from "./run-job.ts";
import { type DashboardIdentity, isFor } from "./spool/dashboard-identity.ts";
import type { JobSpool } from "./spool/spool.ts";

const SPOOL_COMMANDS =
	'"tapedeck spool list" shows what is kept, "tapedeck spool send" uploads it, "tapedeck spool remove" deletes it.';

export interface SetAsideTools {
	runs: JobRuns;
	connection: Connection;
	log: RunnerLog;
	/** Delivers a recording that belongs to this dashboard after all. */
	resume(spool: JobSpool): void;
}

export class SetAside {
	readonly #tools: SetAsideTools;
	readonly #spools = new Set<JobSpool>();

	constructor(tools: SetAsideTools) {
		this.#tools = tools;
	}

	/** By the names of their folders. */
	list(): ReadonlyMap<string, JobSpool> {
		return new Map([...this.#spools].map((spool) => [basename(spool.folder), spool]));
	}

	/** A recording has a run again, which may set it aside once more. */
	watch(run: JobRun): void {
		this.#spools.delete(run.spool);
		void run.finished.then(() => {
			if (run.isSetAside && !run.isDiscarded) this.#spools.add(run.spool);
		});
	}

	/** Sets aside recordings of other dashboards, and resumes those that were set aside for this one. */
	signedIn(dashboard: DashboardIdentity): void {
		const { runs, log, resume } = this.#tools;
		const { others } = runs.of(dashboard);
		for (const run of others) run.setAside();
		if (others.length > 0) {
			const whose = [...new Set(others.map(({ spool }) => spool.manifest.dashboard.url))];
			const what = others.length === 1 ? "1 recording is" : `${others.length} recordings are`;
			log.warn(
				`${what} for another dashboard or organization (${whose.join(", ")}) and kept for it, not sent. ${SPOOL_COMMANDS}`,
			);
		}
		for (const spool of this.#spools) if (isFor(dashboard, spool.manifest.dashboard)) resume(spool);
	}

	/** Assigns a recording to this dashboard, which gives it a new job. */
	async adopt(spool: JobSpool): Promise<void> {
		await spool.adopt(this.#tools.connection.origin);
		if (this.#spools.has(spool)) this.#tools.resume(spool);
	}

	discard(spool: JobSpool): Promise<void> {
		this.#spools.delete(spool);
		return spool.remove();
	}
}
