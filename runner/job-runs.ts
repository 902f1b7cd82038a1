/** The unfinished jobs of a running agent. */
import type { SyncAnswer, SyncBody } from "@tapedeck/contract/runner-protocol.ts";
import type { JobRun } from "./run-job.ts";
import { posterFile } from "./spool/capture-files.ts";
import { type DashboardIdentity, isFor } from "./spool/dashboard-identity.ts";
import type { StopDecision } from "./spool/spool.ts";

const LATE_ANSWER_MS = 30_000;

/** Why recordings end when their runner is removed in the dashboard. */
export const REMOVED = {
	reason: "runner_removed",
	message: "The runner was removed from the dashboard. Create the job again on another one.",
} as const satisfies StopDecision;

export class JobRuns {
	readonly #runs = new Set<JobRun>();
	#lastFault: "storage_full" | "display_unavailable" | "recording_failed" = "recording_failed";
	/** When jobs were taken (performance.now()), by their keys, so that an answer already in flight does not start one twice. */
	readonly #takenAt = new Map<string, number>();

	/** The last error of a recording, as a reason why a session is not recorded. */
	get lastFault(): "storage_full" | "display_unavailable" | "recording_failed" {
		return this.#lastFault;
	}

	get size(): number {
		return this.#runs.size;
	}

	[Symbol.iterator](): IterableIterator<JobRun> {
		return this.#runs.values();
	}

	add(run: JobRun): void {
		this.#runs.add(run);
		void run.stopReason.then((reason) => {
			if (reason === "storage_full") this.#lastFault = reason;
			else if (reason === "display_lost" || reason === "display_unavailable") this.#lastFault = "display_unavailable";
			else this.#lastFault = "recording_failed";
		});
		void run.finished.then(() => {
			this.#runs.delete(run);
			const { jobId, key } = run.spool.manifest;
			if (jobId !== null) this.taken(key);
		});
	}

	ofJob(id: number): JobRun | undefined {
		return [...this.#runs].find((run) => run.spool.jobId === id && !run.isSetAside);
	}

	ofKey(key: string): JobRun | undefined {
		return [...this.#runs].find((run) => run.spool.manifest.key === key && !run.isSetAside);
	}

	/** The auto-record job that is still recording, possibly started by a previous process. */
	autoRecorded(): JobRun | undefined {
		return [...this.#runs].find(({ spool: { manifest } }) => {
			return manifest.origin === "auto-record" && !manifest.settled;
		});
	}

	/** Whether a recording of this session of a grid is running. */
	isRecordingSession(sessionId: string): boolean {
		return [...this.#runs].some(({ spool: { manifest } }) => {
			return (
				!manifest.settled &&
				manifest.stopCondition === "selenium_session" &&
				manifest.stopConditionConfig.sessionId === sessionId
			);
		});
	}

	/** The runner's jobs as listed in a sync call. */
	listed(dashboard: DashboardIdentity | null): SyncBody["jobs"] {
		return [...this.#runs].flatMap((run) => {
			const { jobId, key, cancelSeen, dashboard: its, privacy } = run.spool.manifest;
			if (jobId === null || dashboard === null || run.isDiscarded || run.isSetAside || !isFor(dashboard, its))
				return [];
			const listed = { id: jobId, key, cancelSeen, privacyVersion: privacy.version };
			return [{ ...listed, ...(run.passwordWanted ? { passwordWanted: true } : {}) }];
		});
	}

	/** Bytes of video that the dashboard has not confirmed. */
	async waitingBytes(): Promise<number> {
		const each = await Promise.all([...this.#runs].map((run) => run.videoBytes()));
		return each.reduce((sum, { waiting }) => sum + waiting, 0);
	}

	/** The runs that are for a dashboard, and those that are not. */
	of(dashboard: DashboardIdentity): { own: JobRun[]; others: JobRun[] } {
		const kept = [...this.#runs].filter((run) => !run.isSetAside);
		const own = kept.filter((run) => isFor(dashboard, run.spool.manifest.dashboard));
		return { own, others: kept.filter((run) => !own.includes(run)) };
	}

	/** Answers the jobs that wait for their grid password; a job missing from the list has none (any more). */
	givePasswords(passwords: NonNullable<SyncAnswer["passwords"]>): void {
		for (const run of this.#runs) {
			if (!run.passwordWanted) continue;
			run.givePassword(passwords.find(({ id }) => id === run.spool.jobId)?.gridPassword);
		}
	}

	/** The poster files of the recordings that show all of a display. */
	posterFiles(displayId: string): string[] {
		const recording = [...this.#runs].filter(({ spool: { manifest } }) => {
			const { region, window } = manifest.video;
			return manifest.displayId === displayId && region === undefined && window === undefined;
		});
		return recording.map(({ spool }) => posterFile(spool.folder));
	}

	/** Whether a recording of a display is private. */
	isPrivate(displayId: string): boolean {
		return [...this.#runs].some((run) => run.hidesDisplay && run.spool.manifest.displayId === displayId);
	}

	taken(key: string): void {
		this.#takenAt.set(key, performance.now());
	}

	/** Whether the job is known, or was within the longest time that a call can take. */
	isKnown(key: string): boolean {
		for (const [known, at] of this.#takenAt) if (performance.now() - at > LATE_ANSWER_MS) this.#takenAt.delete(known);
		return this.ofKey(key) !== undefined || this.#takenAt.has(key);
	}

	/** Stops every recording; what was captured is still delivered. */
	shutDown(decision?: StopDecision): void {
		for (const run of this.#runs) run.shutDown(decision);
	}

	/** Resolves when all current jobs are finished. Never rejects. */
	async finished(): Promise<void> {
		await Promise.all([...this.#runs].map((run) => run.finished));
	}
}
