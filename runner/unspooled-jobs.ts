/**
 * Jobs of which nothing is kept in the spool: screenshots and file uploads. The dashboard holds them as `starting` until they are
 * done, so it sends those of a runner that was killed again.
 */
import type { JobReport, SyncBody } from "@tapedeck/contract/runner-protocol.ts";
import { errorMessage, FatalError } from "./base/fault.ts";
import type { RunnerLog } from "./base/log.ts";
import type { Connection } from "./dashboard/connection.ts";
import { untilAccepted } from "./dashboard/until-accepted.ts";

export interface UnspooledOrder {
	id: number;
	key: string;
	name: string;
}

export interface UnspooledSignals {
	/** Aborted when the runner ends, or the dashboard no longer has the job. */
	ended: AbortSignal;
	/** Aborted then, and when the job is cancelled. */
	signal: AbortSignal;
}

interface Run {
	order: UnspooledOrder;
	cancelled: AbortController;
	/** Aborted when the dashboard no longer has the job. */
	dropped: AbortController;
	finished: Promise<void>;
}

type EndReport =
	| { type: "cancelled" }
	| Pick<Extract<JobReport, { type: "failed" }>, "type" | "code" | "message">
	| Pick<Extract<JobReport, { type: "recording" }>, "type" | "width" | "height">
	| Pick<Extract<JobReport, { type: "stopped" }>, "type" | "stopReason">;

export abstract class UnspooledJobs<Order extends UnspooledOrder> {
	protected readonly connection: Connection;
	protected readonly log: RunnerLog;
	readonly #closed: AbortSignal;
	readonly #runs = new Map<string, Run>();

	constructor(connection: Connection, log: RunnerLog, closed: AbortSignal) {
		this.connection = connection;
		this.log = log;
		this.#closed = closed;
	}

	/** Does the job, and reports how it ended. */
	protected abstract run(order: Order, signals: UnspooledSignals): Promise<void>;

	get size(): number {
		return this.#runs.size;
	}

	isKnown(key: string): boolean {
		return this.#runs.has(key);
	}

	take(order: Order, isCancelled: boolean): void {
		const [cancelled, dropped] = [new AbortController(), new AbortController()];
		const run: Run = { order, cancelled, dropped, finished: Promise.resolve() };
		if (isCancelled) cancelled.abort();
		this.#runs.set(order.key, run);
		const ended = AbortSignal.any([this.#closed, dropped.signal]);
		const signals = { ended, signal: AbortSignal.any([ended, cancelled.signal]) };
		run.finished = this.run(order, signals)
			.catch((error) => {
				// An error that ends the runner is raised by its other calls, too.
				if (!this.#closed.aborted && !(error instanceof FatalError))
					this.log.error(`${labelOf(order)} failed: ${errorMessage(error)}.`);
			})
			.finally(() => this.#runs.delete(order.key));
	}

	cancel(jobId: number): void {
		for (const { order, cancelled } of this.#runs.values()) if (order.id === jobId) cancelled.abort();
	}

	/** The dashboard no longer has the job. */
	drop(key: string): void {
		this.#runs.get(key)?.dropped.abort();
	}

	/** As listed in a sync call. */
	listed(): SyncBody["jobs"] {
		return [...this.#runs.values()].map(({ order: { id, key }, cancelled }) => {
			return { id, key, cancelSeen: cancelled.signal.aborted };
		});
	}

	async finished(): Promise<void> {
		await Promise.all([...this.#runs.values()].map((run) => run.finished));
	}

	protected report({ id, key }: UnspooledOrder, ended: AbortSignal, ...reports: EndReport[]): Promise<void> {
		const { client, clock } = this.connection;
		const at = new Date().toISOString();
		return untilAccepted(this.connection, ended, async (sessionId) => {
			const jobs = reports.map((report, index) => ({ ...report, jobId: id, jobKey: key, seq: index + 1, at }));
			await client.reports({ sessionId, sentAt: new Date().toISOString(), clockShiftMs: clock.shiftMs, jobs });
		});
	}
}

export const labelOf = ({ id, name }: UnspooledOrder): string => `Job ${id}, "${name}"`;
