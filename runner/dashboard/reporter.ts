/** Sends reports to the dashboard: in order, numbered per job, repeated until acknowledged. */
import type { Display } from "@tapedeck/contract/runner.ts";
import { isTransition, type JobReport } from "@tapedeck/contract/runner-protocol.ts";
import { atCurrentClock } from "../base/clock.ts";
import type { RunnerLog } from "../base/log.ts";
import { Backoff, Bell, pause } from "../base/wait.ts";
import type { JobSpool } from "../spool/spool.ts";
import { CallFailedError } from "./client.ts";
import type { Connection } from "./connection.ts";
import { formsOf } from "./report-forms.ts";

const BATCH = 200;
const IDLE_MS = 60_000;
/** Pause before retrying a report that the dashboard refused in every form. */
const REFUSED_RETRY_MS = 10_000;
const REMIND_MS = 60_000;

interface Due {
	spool: JobSpool;
	/** The report as it is stored in the outbox. */
	kept: JobReport;
	/** The report as it is sent. */
	report: JobReport;
}

/** The state of a report that the dashboard refused. */
interface Refusal {
	/** Index of the form to send next. */
	form: number;
	/** Earliest performance.now() at which to retry. */
	notBefore: number;
	remindAt: number;
}

export class Reporter {
	readonly #connection: Connection;
	readonly #log: RunnerLog;
	readonly #spools: () => Iterable<JobSpool>;
	readonly #displays: () => Display[];
	readonly #forgotten: (spool: JobSpool, jobId: number) => void;
	readonly #bell = new Bell();
	readonly #acknowledged = new Bell();
	#displaysDue = false;
	/**
	 * The number of reports that are still sent one by one after a refused batch, so that one bad report does not block
	 * the others.
	 */
	#oneByOne = 0;
	readonly #refusals = new WeakMap<JobReport, Refusal>();

	constructor(
		connection: Connection,
		log: RunnerLog,
		from: {
			spools: () => Iterable<JobSpool>;
			displays: () => Display[];
			/** The dashboard has no job with that id and the spool's key any more. */
			forgotten: (spool: JobSpool, jobId: number) => void;
		},
	) {
		this.#connection = connection;
		this.#log = log;
		this.#spools = from.spools;
		this.#displays = from.displays;
		this.#forgotten = from.forgotten;
	}

	/** Call when a report was added to an outbox. */
	kick(): void {
		this.#bell.ring();
	}

	/** Call when the displays have changed. */
	reportDisplays(): void {
		this.#displaysDue = true;
		this.#bell.ring();
	}

	/** Resolves when the job's outbox is empty, or when the signal aborts. */
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
			// Displays are sent alone, so that refused displays do not hold back reports.
			const withDisplays = this.#displaysDue;
			const batch = withDisplays ? [] : this.#collect();
			if (batch.length === 0 && !withDisplays) {
				await this.#bell.heard(this.#hasRefused ? REFUSED_RETRY_MS : IDLE_MS, closed);
				continue;
			}
			const session = await this.#connection.session();
			if (closed.aborted) return;
			// The sign-in may have reached another dashboard.
			if (!batch.every(({ spool }) => this.#connection.owns(spool.manifest.dashboard))) continue;
			this.#displaysDue = false;
			try {
				await this.#send(session, batch, withDisplays);
				backoff.reset();
			} catch (error) {
				if (await this.#refused(error, batch)) continue;
				this.#displaysDue ||= withDisplays;
				this.#connection.handleCallError(error, session);
				await pause(backoff.nextMs(), closed);
			}
		}
	}

	/** Whether a refused report is pending. */
	get #hasRefused(): boolean {
		return [...this.#spools()].some(({ manifest }) => manifest.outbox.some((kept) => this.#refusals.has(kept)));
	}

	#collect(): Due[] {
		const batch: Due[] = [];
		const limit = this.#oneByOne > 0 ? 1 : BATCH;
		for (const spool of this.#spools()) {
			const { jobId, key } = spool.manifest;
			if (jobId === null || !this.#connection.owns(spool.manifest.dashboard)) continue;
			const job = { jobId, jobKey: key };
			let heldBack = false;
			for (const kept of spool.manifest.outbox) {
				if (batch.length === limit) return batch;
				const refusal = this.#refusals.get(kept);
				const waits = refusal !== undefined && performance.now() < refusal.notBefore;
				// The dashboard ignores the end of a job that comes before its beginning.
				heldBack ||= waits && isTransition(kept);
				if (waits || (heldBack && isTransition(kept))) continue;
				const forms = formsOf(kept);
				const form = forms[refusal?.form ?? 0] ?? kept;
				batch.push({ spool, kept, report: { ...form, at: atCurrentClock(kept.at, kept), ...job } });
			}
		}
		return batch;
	}

	async #send(session: string, batch: Due[], displays: boolean): Promise<void> {
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
		// The answer has one entry per report, in order. Job ids would be ambiguous: two jobs may have had the same one.
		const isForgotten = (_: unknown, index: number) => answer.jobs[index]?.status === null;
		for (const [index, { spool }] of batch.entries()) {
			for (const { key, id } of answer.jobs[index]?.results ?? []) spool.resultIds.set(key, id);
		}
		await this.#drop(batch.filter((entry, index) => !isForgotten(entry, index)));
		const forgotten = new Map(batch.filter(isForgotten).map(({ spool, report }) => [spool, report.jobId]));
		for (const [spool, jobId] of forgotten) this.#forgotten(spool, jobId);
	}

	async #drop(batch: Due[]): Promise<void> {
		for (const spool of new Set(batch.map((entry) => entry.spool))) {
			const sent = batch.filter((entry) => entry.spool === spool && entry.report.jobId === spool.jobId);
			const done = new Set(sent.map(({ report }) => report.seq));
			// Reports are idempotent, so a full disk may lose the acknowledgement.
			await spool.acknowledged(done).catch(() => undefined);
		}
		this.#acknowledged.ring();
	}

	/** @returns whether the dashboard refused the content of the reports; the refusal is then handled. */
	async #refused(error: unknown, batch: Due[]): Promise<boolean> {
		if (!(error instanceof CallFailedError) || ![400, 413, 422].includes(error.status)) return false;
		const [only] = batch;
		if (batch.length > 1) this.#oneByOne = batch.length;
		else if (only === undefined) this.#log.error(`The dashboard refused the list of displays: ${error.message}`);
		else if (!this.#shorten(only, error.message) && !isTransition(only.kept)) await this.#drop(batch);
		return true;
	}

	/** Switches a refused report to its next shorter form. @returns false when there is none. */
	#shorten({ spool, kept }: Due, why: string): boolean {
		const before = this.#refusals.get(kept) ?? { form: 0, notBefore: 0, remindAt: 0 };
		const now = performance.now();
		const refused = `${spool.label}: the dashboard refused the report "${kept.type}"`;
		const isLoggedRecently = now < before.remindAt;
		if (before.form + 1 < formsOf(kept).length) {
			this.#refusals.set(kept, { ...before, form: before.form + 1 });
			if (before.form === 0 && !isLoggedRecently) this.#log.warn(`${refused}: ${why} Sending a shorter one.`);
			return true;
		}
		if (!isTransition(kept))
			this.#log.error(`${refused} even without details, so it is missing from the job's events: ${kept.message}`);
		else if (!isLoggedRecently) {
			this.#log.error(`${refused} even without details: ${why} Retrying until the dashboard accepts it.`);
		}
		const remindAt = isLoggedRecently ? before.remindAt : now + REMIND_MS;
		this.#refusals.set(kept, { form: 0, notBefore: now + REFUSED_RETRY_MS, remindAt });
		return false;
	}
}
