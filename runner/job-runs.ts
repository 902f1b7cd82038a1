/** The jobs that a running agent has not finished with. */
import type { SyncAnswer, SyncBody } from "#lib/contract/runner-protocol.ts";
import { isCommandKey } from "./control/control-service.ts";
import { belonging, type DashboardIdentity } from "./spool/dashboard-identity.ts";
import { posterFile } from "./capture/ffmpeg.ts";
import type { JobRun } from "./run-job.ts";
import type { JobSpool } from "./spool.ts";
import type { StopDecision } from "./stop-conditions/stop-condition.ts";

const LATE_ANSWER_MS = 30_000;

/** Why recordings end whose runner somebody removed in the dashboard. */
export const REMOVED = {
	reason: "runner_removed",
	message: "The runner was removed from the dashboard. Create the job again on another one.",
} as const satisfies StopDecision;

type NumberedJob = { id: number; key?: string };
const nameOf = ({ id, key }: NumberedJob): string => key ?? String(id);

export class JobRuns {
	readonly #runs = new Set<JobRun>();
	/** When jobs were taken (performance.now()): an answer that was under way then must not start one again. */
	readonly #takenAt = new Map<string, number>();

	get size(): number {
		return this.#runs.size;
	}

	[Symbol.iterator](): IterableIterator<JobRun> {
		return this.#runs.values();
	}

	add(run: JobRun): void {
		this.#runs.add(run);
		void run.finished.then(() => {
			this.#runs.delete(run);
			const { jobId, key } = run.spool.manifest;
			if (jobId !== null) this.taken({ id: jobId, key: key ?? undefined });
		});
	}

	ofJob(id: number): JobRun | undefined {
		return [...this.#runs].find((run) => run.spool.jobId === id && !run.isSetAside);
	}

	ofKey(key: string): JobRun | undefined {
		return [...this.#runs].find((run) => run.spool.manifest.key === key && !run.isSetAside);
	}

	ofSpool(spool: JobSpool): JobRun | undefined {
		return [...this.#runs].find((run) => run.spool === spool);
	}

	/** One that auto-record began, maybe in an earlier life, and that still records. */
	autoRecorded(): JobRun | undefined {
		return [...this.#runs].find(({ spool: { manifest } }) => {
			return manifest.auto !== null && !isCommandKey(manifest.auto.key) && !manifest.settled;
		});
	}

	/** What the dashboard is told that the runner has. */
	listed(dashboard: DashboardIdentity | null): SyncBody["jobs"] {
		return [...this.#runs].flatMap((run) => {
			const { jobId, key, cancelSeen, displayId, name } = run.spool.manifest;
			if (jobId === null || dashboard === null || run.isDisowned || run.isSetAside) return [];
			// A dashboard without an id refuses a list that has more in it.
			const isMine = belonging(run.spool.manifest, dashboard) === "own" && key !== null;
			const which = dashboard.id === null ? {} : isMine ? { key } : { identify: { displayId, name } };
			return [{ id: jobId, ...which, cancelSeen, ...(run.passwordWanted ? { passwordWanted: true } : {}) }];
		});
	}

	/** Those that may belong to a dashboard, or may not. */
	of(dashboard: DashboardIdentity, wanted: ReturnType<typeof belonging>): JobRun[] {
		return [...this.#runs].filter((run) => !run.isSetAside && belonging(run.spool.manifest, dashboard) === wanted);
	}

	/** The dashboard's answer to those that want the grid's password: one that is not there has none (any more). */
	givePasswords(passwords: NonNullable<SyncAnswer["passwords"]>): void {
		for (const run of this.#runs) {
			if (!run.passwordWanted) continue;
			run.givePassword(passwords.find(({ id }) => id === run.spool.jobId)?.gridPassword);
		}
	}

	/** Where the recordings of a display leave their still pictures. */
	posterFiles(displayId: string): string[] {
		const recording = [...this.#runs].filter(({ spool }) => spool.manifest.displayId === displayId);
		return recording.map(({ spool }) => posterFile(spool.folder));
	}

	taken(job: NumberedJob): void {
		this.#takenAt.set(nameOf(job), performance.now());
	}

	/**
	 * Whether the job is known, or was a moment ago. No call takes longer than that: after it the same id is another
	 * job, of a dashboard that was set up anew.
	 */
	isKnown(job: NumberedJob): boolean {
		for (const [known, at] of this.#takenAt) if (performance.now() - at > LATE_ANSWER_MS) this.#takenAt.delete(known);
		const run = job.key === undefined ? this.ofJob(job.id) : this.ofKey(job.key);
		return run !== undefined || this.#takenAt.has(nameOf(job));
	}

	/** Ends every recording; what is captured is delivered. */
	shutDown(decision?: StopDecision): void {
		for (const run of this.#runs) run.shutDown(decision);
	}

	/** Resolves when those that are there now need nothing more. Never rejects. */
	async finished(): Promise<void> {
		await Promise.all([...this.#runs].map((run) => run.finished));
	}
}
