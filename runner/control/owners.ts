/**
 * The commands that own a recording, such as `tapedeck run`: each keeps a call open for as long as it lives. The kernel
 * ends the call when the command is killed, however that happens, and then its recording ends too.
 */
import { aborted } from "../base/wait.ts";
import type { JobRun } from "../run-job.ts";

/** The maximum time until a command calls, after it has started a recording or after a restart of this runner. */
const CALL_MS = 15_000;

export class Owners {
	readonly #calls = new Map<JobRun, number>();
	readonly #timers = new Map<JobRun, NodeJS.Timeout>();

	/** Expects the call of the recording's owner, if it has one. */
	expect(run: JobRun): void {
		if (run.spool.manifest.owner === null) return;
		const timer = setTimeout(() => this.#lost(run), CALL_MS);
		timer.unref();
		this.#timers.set(run, timer);
		void run.finished.then(() => this.#forget(run));
	}

	/**
	 * Handles the call of an owner.
	 * @param gone aborted when the command has ended.
	 * @param closing aborted when this runner ends the call.
	 */
	async hold(run: JobRun, gone: AbortSignal, closing: AbortSignal): Promise<void> {
		this.#forget(run);
		this.#calls.set(run, (this.#calls.get(run) ?? 0) + 1);
		await Promise.race([run.finished, aborted(gone), aborted(closing)]);
		const left = (this.#calls.get(run) ?? 1) - 1;
		if (left > 0) this.#calls.set(run, left);
		else this.#calls.delete(run);
		if (left === 0 && gone.aborted && !closing.aborted) this.#lost(run);
	}

	/** Whether any command may still need the runner. */
	get areThere(): boolean {
		return this.#calls.size > 0 || this.#timers.size > 0;
	}

	#lost(run: JobRun): void {
		this.#forget(run);
		run.endWithoutOwner();
	}

	#forget(run: JobRun): void {
		clearTimeout(this.#timers.get(run));
		this.#timers.delete(run);
	}
}
