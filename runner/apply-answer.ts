/** Applies the answer to a poll: takes jobs, cancels, hides, forgets, sends reports again, shows displays. */
import { NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import { PICTURE_WIDTH } from "@tapedeck/contract/runner.ts";
import type { ReceivedSyncAnswer } from "@tapedeck/contract/runner-protocol.ts";
import type { RunnerLog } from "./base/log.ts";
import type { DisplayPictures } from "./capture/display-pictures.ts";
import type { Connection } from "./dashboard/connection.ts";
import { type OrderedJob, readJob } from "./dashboard/read-job.ts";
import type { Reporter } from "./dashboard/reporter.ts";
import type { VirtualDisplays } from "./displays/virtual-displays.ts";
import type { FileUploads } from "./file-uploads.ts";
import type { JobRuns } from "./job-runs.ts";
import type { JobOptions, JobRun } from "./run-job.ts";
import type { Screenshots } from "./screenshots.ts";
import type { JobOrder, JobSpool } from "./spool/spool.ts";

export interface AnswerTools {
	runs: JobRuns;
	connection: Connection;
	reporter: Reporter;
	pictures: DisplayPictures;
	screenshots: Screenshots;
	fileUploads: FileUploads;
	virtualDisplays: Pick<VirtualDisplays, "free" | "lent">;
	log: RunnerLog;
	/** Whether no job is accepted at this moment. */
	takesNoJobs(): boolean;
	/** Begins the recording of a job. */
	begin(order: JobOrder, options: JobOptions): Promise<JobRun>;
	/** The runner was removed in the dashboard. */
	removed(): void;
}

export class AnswerHandler {
	readonly #tools: AnswerTools;
	#unreadableIdReported = false;

	constructor(tools: AnswerTools) {
		this.#tools = tools;
	}

	get #unspooled() {
		return [this.#tools.screenshots, this.#tools.fileUploads];
	}

	/** @returns whether the answer brought anything new. */
	async apply(answer: ReceivedSyncAnswer): Promise<boolean> {
		const { connection, runs, pictures, takesNoJobs, removed } = this.#tools;
		if (answer.removed) {
			removed();
			return true;
		}
		connection.organizationVideo = answer.video ?? {};
		// Must come first: a new job may reuse the id of a forgotten one.
		this.#applyJobStates(answer);
		const orders = takesNoJobs() ? [] : this.#readJobs(answer.start);
		const fresh = this.#withDisplay(
			orders.filter(({ order: { key } }) => !runs.isKnown(key) && !this.#unspooled.some((jobs) => jobs.isKnown(key))),
		);
		await Promise.all(fresh.map((job) => this.#takeJob(job)));
		for (const id of answer.cancel) {
			runs.ofJob(id)?.cancel();
			for (const jobs of this.#unspooled) jobs.cancel(id);
		}
		for (const { id, ...wanted } of answer.privacy ?? []) void runs.ofJob(id)?.setPrivacy(wanted);
		if (answer.passwords !== undefined) runs.givePasswords(answer.passwords);
		const usual = (answer.pictures ?? []).map((displayId) => ({ displayId, width: PICTURE_WIDTH }));
		const wanted = [...usual, ...(answer.widePictures ?? [])];
		pictures.show(wanted);
		return fresh.length + answer.cancel.length + (answer.privacy?.length ?? 0) + wanted.length > 0;
	}

	/** The dashboard was restored from a backup of before the job. */
	recreate(spool: JobSpool): void {
		this.#tools.log.warn(`The dashboard no longer has ${spool.label}; recreating it there with its video.`);
		void spool.forget();
	}

	/** Applies what the dashboard reports about the listed jobs. */
	#applyJobStates(answer: ReceivedSyncAnswer): void {
		const { runs, log } = this.#tools;
		for (const { id, key } of answer.forgotten ?? []) {
			for (const jobs of this.#unspooled) jobs.drop(key);
			const run = runs.ofKey(key);
			// A report may have revealed this already, and the job may have been recreated since.
			if (run?.spool.jobId === id) this.recreate(run.spool);
		}
		for (const key of answer.deleted ?? []) for (const jobs of this.#unspooled) jobs.drop(key);
		for (const run of answer.deleted?.flatMap((key) => runs.ofKey(key) ?? []) ?? []) {
			log.warn(`The recording of ${run.spool.label} was deleted in the dashboard; deleting it here too.`);
			run.discard();
		}
		if (answer.resendReports) void this.#resendReports();
	}

	async #resendReports(): Promise<void> {
		const { runs, connection, reporter } = this.#tools;
		if (connection.dashboard === null) return;
		await Promise.all(runs.of(connection.dashboard).own.map(({ spool }) => spool.resendReports()));
		reporter.kick();
	}

	/**
	 * Without the jobs whose display was lent to a program while the dashboard answered. They are not taken, so that the dashboard
	 * sends them again.
	 */
	#withDisplay(jobs: readonly OrderedJob[]): readonly OrderedJob[] {
		const { free, lent } = this.#tools.virtualDisplays;
		if (lent === 0) return jobs;
		let left = free;
		return jobs.filter(({ order, cancelRequested }) => {
			if (order.displayId !== NEW_DISPLAY || cancelRequested) return true;
			left -= 1;
			return left >= 0;
		});
	}

	#readJobs(raws: readonly unknown[]): OrderedJob[] {
		const { versions } = this.#tools.connection;
		const read = raws.map((raw) => readJob(raw, versions));
		if (read.includes(null) && !this.#unreadableIdReported) {
			this.#unreadableIdReported = true;
			this.#tools.log.warn(
				`The dashboard sent a job whose id this runner cannot read. ${versions}; update the older one.`,
			);
		}
		return read.filter((job) => job !== null);
	}

	async #takeJob({ order, password, cancelRequested, unspooled }: OrderedJob): Promise<void> {
		this.#tools.runs.taken(order.key);
		if (unspooled?.type === "screenshot") return this.#tools.screenshots.take(order, cancelRequested);
		if (unspooled !== null) return this.#tools.fileUploads.take({ ...order, path: unspooled.path }, cancelRequested);
		if (order.stop == null) {
			this.#tools.log.info(`Job ${order.id}, "${order.name}": ${order.stopCondition} on ${order.displayId}.`);
		}
		// It gets no display.
		const ordered = cancelRequested ? { ...order, stop: order.stop ?? { reason: "cancelled" as const } } : order;
		const run = await this.#tools.begin(ordered, { gridPassword: password });
		if (cancelRequested) run.cancel();
	}
}
