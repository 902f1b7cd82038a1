/** Tells the dashboard what happened: in order, numbered by job, again and again until acknowledged. */
import type { Display } from "#lib/contract/runner.ts";
import type { JobReport } from "#lib/contract/runner-protocol.ts";
import type { Connection } from "../connection.ts";
import { CallFailedError } from "./client.ts";
import type { RunnerLog } from "../log.ts";
import { formsOf } from "./report-forms.ts";
import type { JobSpool } from "../spool.ts";
import { byPresentClock } from "../told-instants.ts";
import { Backoff, Bell, pause } from "../base/wait.ts";

const BATCH = 200;
const IDLE_MS = 60_000;
/** How long a report that the dashboard refused in every form waits before it is sent again. */
const REFUSED_RETRY_MS = 10_000;
const REMIND_MS = 60_000;

interface Due {
	spool: JobSpool;
	/** As it stands in the outbox. */
	kept: JobReport;
	/** As it is sent. */
	report: JobReport;
}

/** A report that the dashboard refused. */
interface Refusal {
	/** Which of its forms is sent next. */
	form: number;
	/** performance.now() before which it is not sent. */
	notBefore: number;
	remindAt: number;
}

export class Reporter {
	readonly #connection: Connection;
	readonly #log: RunnerLog;
	readonly #spools: () => Iterable<JobSpool>;
	readonly #displays: () => Display[];
	readonly #unknown: (spool: JobSpool, jobId: number) => void;
	readonly #bell = new Bell();
	readonly #acknowledged = new Bell();
	#displaysDue = false;
	/** After a refused batch reports go one by one, so that a single bad one cannot hold up all others. */
	#oneByOne = 0;
	readonly #refusals = new WeakMap<JobReport, Refusal>();

	constructor(
		connection: Connection,
		log: RunnerLog,
		from: {
			spools: () => Iterable<JobSpool>;
			displays: () => Display[];
			unknown: (spool: JobSpool, jobId: number) => void;
		},
	) {
		this.#connection = connection;
		this.#log = log;
		this.#spools = from.spools;
		this.#displays = from.displays;
		this.#unknown = from.unknown;
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
			// Displays go by themselves: when they are refused, no report of a job is.
			const withDisplays = this.#displaysDue;
			const batch = withDisplays ? [] : this.#collect();
			if (batch.length === 0 && !withDisplays) {
				await this.#bell.heard(this.#refusedAny ? REFUSED_RETRY_MS : IDLE_MS, closed);
				continue;
			}
			const session = await this.#connection.session();
			if (closed.aborted) return;
			// Signing in may have led to another dashboard.
			if (!batch.every(({ spool }) => this.#connection.owns(spool.manifest))) continue;
			this.#displaysDue = false;
			try {
				await this.#send(session, batch, withDisplays);
				backoff.reset();
			} catch (error) {
				if (await this.#refused(error, batch)) continue;
				this.#displaysDue ||= withDisplays;
				this.#connection.judge(error, session);
				await pause(backoff.nextMs(), closed);
			}
		}
	}

	/** Whether a report waits that the dashboard refused. */
	get #refusedAny(): boolean {
		return [...this.#spools()].some(({ manifest }) => manifest.outbox.some((kept) => this.#refusals.has(kept)));
	}

	#collect(): Due[] {
		const batch: Due[] = [];
		const limit = this.#oneByOne > 0 ? 1 : BATCH;
		for (const spool of this.#spools()) {
			const { jobId, key } = spool.manifest;
			if (jobId === null || !this.#connection.owns(spool.manifest)) continue;
			const job = { jobId, ...(key === null ? {} : { jobKey: key }) };
			let heldBack = false;
			for (const kept of spool.manifest.outbox) {
				if (batch.length === limit) return batch;
				const refusal = this.#refusals.get(kept);
				const waits = refusal !== undefined && performance.now() < refusal.notBefore;
				const isNote = kept.type === "note";
				// The end of a job must not come before its beginning: then it would not count.
				heldBack ||= waits && !isNote;
				if (waits || (heldBack && !isNote)) continue;
				const forms = formsOf(kept);
				const form = forms[refusal?.form ?? 0] ?? kept;
				batch.push({ spool, kept, report: { ...form, at: byPresentClock(kept).at, ...job } });
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
		// One entry a report, in order: two jobs may have had one number.
		const isUnknown = (_: unknown, index: number) => answer.jobs[index]?.status === null;
		await this.#drop(batch.filter((entry, index) => !isUnknown(entry, index)));
		const unknown = new Map(batch.filter(isUnknown).map(({ spool, report }) => [spool, report.jobId]));
		for (const [spool, jobId] of unknown) this.#unknown(spool, jobId);
	}

	async #drop(batch: Due[]): Promise<void> {
		for (const spool of new Set(batch.map((entry) => entry.spool))) {
			const sent = batch.filter((entry) => entry.spool === spool && entry.report.jobId === spool.jobId);
			const done = new Set(sent.map(({ report }) => report.seq));
			// Told twice changes nothing, so that a full disk may forget that it was told.
			await spool.acknowledged(done).catch(() => undefined);
		}
		this.#acknowledged.ring();
	}

	/** @returns whether it was a refusal of what the reports say, and is dealt with. */
	async #refused(error: unknown, batch: Due[]): Promise<boolean> {
		if (!(error instanceof CallFailedError) || ![400, 413, 422].includes(error.status)) return false;
		const [only] = batch;
		if (batch.length > 1) this.#oneByOne = batch.length;
		else if (only === undefined) this.#log.error(`The dashboard refused the list of displays: ${error.message}`);
		else if (!this.#shorten(only, error.message) && only.kept.type === "note") await this.#drop(batch);
		return true;
	}

	/** Chooses the form in which a refused report goes next. @returns false when there was no shorter one. */
	#shorten({ spool, kept }: Due, why: string): boolean {
		const before = this.#refusals.get(kept) ?? { form: 0, notBefore: 0, remindAt: 0 };
		const now = performance.now();
		const words = `${spool.label}: the dashboard refused the report "${kept.type}"`;
		const isSaid = now < before.remindAt;
		if (before.form + 1 < formsOf(kept).length) {
			this.#refusals.set(kept, { ...before, form: before.form + 1 });
			if (before.form === 0 && !isSaid) this.#log.warn(`${words}: ${why} Sending it with less in it.`);
			return true;
		}
		if (kept.type === "note")
			this.#log.error(`${words} in every form, so it is not in the job's history: ${kept.message}`);
		else if (!isSaid) {
			this.#log.error(`${words} in every form: ${why} It is kept and sent again until the dashboard takes it.`);
		}
		const remindAt = isSaid ? before.remindAt : now + REMIND_MS;
		this.#refusals.set(kept, { form: 0, notBefore: now + REFUSED_RETRY_MS, remindAt });
		return false;
	}
}
