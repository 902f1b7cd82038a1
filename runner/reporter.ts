/** Tells the dashboard what happened: in order, numbered by job, again and again until acknowledged. */
import type { Display } from "#lib/contract/runner.ts";
import type { JobReport } from "#lib/contract/runner-protocol.ts";
import type { Connection } from "./connection.ts";
import { CallFailedError } from "./dashboard-client.ts";
import type { RunnerLog } from "./log.ts";
import type { JobSpool } from "./spool.ts";
import { byPresentClock } from "./told-instants.ts";
import { Backoff, Bell, pause } from "./wait.ts";

const BATCH = 200;
const IDLE_MS = 60_000;

export class Reporter {
	readonly #connection: Connection;
	readonly #log: RunnerLog;
	readonly #spools: () => Iterable<JobSpool>;
	readonly #displays: () => Display[];
	readonly #disowned: (spool: JobSpool) => void;
	readonly #bell = new Bell();
	readonly #acknowledged = new Bell();
	#displaysDue = false;
	/** After a refused batch reports go one by one, so that a single bad one cannot hold up all others. */
	#oneByOne = 0;

	constructor(
		connection: Connection,
		log: RunnerLog,
		from: { spools: () => Iterable<JobSpool>; displays: () => Display[]; disowned: (spool: JobSpool) => void },
	) {
		this.#connection = connection;
		this.#log = log;
		this.#spools = from.spools;
		this.#displays = from.displays;
		this.#disowned = from.disowned;
	}

	/** There is something new in an outbox. */
	kick(): void {
		this.#bell.ring();
	}

	/** The displays have changed. */
	tellDisplays(): void {
		this.#displaysDue = true;
		this.#bell.ring();
	}

	/** Resolves when the job's outbox is empty, or the signal says enough. */
	async flushed(spool: JobSpool, signal: AbortSignal): Promise<void> {
		while (spool.manifest.outbox.length > 0 && !signal.aborted) {
			this.#bell.ring();
			await this.#acknowledged.heard(200, signal);
		}
	}

	/** Runs until closed. @throws FatalError. */
	async run(closed: AbortSignal): Promise<void> {
		const backoff = new Backoff();
		while (!closed.aborted) {
			const batch = this.#collect();
			if (batch.length === 0 && !this.#displaysDue) {
				await this.#bell.heard(IDLE_MS, closed);
				continue;
			}
			const session = await this.#connection.session();
			if (closed.aborted) return;
			const withDisplays = this.#displaysDue;
			this.#displaysDue = false;
			try {
				await this.#send(session, batch, withDisplays);
				backoff.reset();
			} catch (error) {
				this.#displaysDue ||= withDisplays;
				if (await this.#refused(error, batch)) continue;
				this.#connection.judge(error, session);
				await pause(backoff.nextMs(), closed);
			}
		}
	}

	#collect(): { spool: JobSpool; report: JobReport }[] {
		const batch: { spool: JobSpool; report: JobReport }[] = [];
		const limit = this.#oneByOne > 0 ? 1 : BATCH;
		for (const spool of this.#spools()) {
			if (spool.jobId === null) continue;
			for (const report of spool.manifest.outbox) {
				if (batch.length === limit) return batch;
				batch.push({ spool, report: { ...byPresentClock(report), jobId: spool.jobId } });
			}
		}
		return batch;
	}

	async #send(session: string, batch: { spool: JobSpool; report: JobReport }[], displays: boolean): Promise<void> {
		const { client, clock } = this.#connection;
		const calledAt = performance.now();
		const answer = await client.reports({
			sessionId: session,
			sentAt: new Date().toISOString(),
			clockShiftMs: clock.shiftMs,
			...(displays ? { displays: this.#displays() } : {}),
			jobs: batch.map(({ report }) => report),
		});
		clock.read(answer.serverTime, calledAt);
		this.#connection.reached();
		this.#oneByOne = Math.max(0, this.#oneByOne - 1);
		await this.#drop(batch);
		for (const { jobId, status } of answer.jobs) {
			if (status !== null) continue;
			const spool = batch.find(({ report }) => report.jobId === jobId)?.spool;
			if (spool) this.#disowned(spool);
		}
	}

	async #drop(batch: { spool: JobSpool; report: JobReport }[]): Promise<void> {
		for (const spool of new Set(batch.map((entry) => entry.spool))) {
			const done = new Set(batch.filter((entry) => entry.spool === spool).map(({ report }) => report.seq));
			await spool
				.update((manifest) => {
					manifest.outbox = manifest.outbox.filter(({ seq }) => !done.has(seq));
				})
				// Told twice changes nothing, so that a full disk may forget that it was told.
				.catch(() => undefined);
		}
		this.#acknowledged.ring();
	}

	/** @returns whether it was a refusal of what the reports say, and is dealt with. */
	async #refused(error: unknown, batch: { spool: JobSpool; report: JobReport }[]): Promise<boolean> {
		if (!(error instanceof CallFailedError) || ![400, 413, 422].includes(error.status)) return false;
		const only = batch[0];
		if (batch.length > 1) this.#oneByOne = batch.length;
		else if (only) {
			this.#log.error(`${only.spool.label}: the dashboard refused the report "${only.report.type}": ${error.message}`);
			await this.#drop(batch);
		} else this.#displaysDue = false;
		return true;
	}
}
