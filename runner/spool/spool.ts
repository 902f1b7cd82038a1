/**
 * State that must survive a restart of the runner: one folder per job, with the captured parts and a manifest with the state of
 * the job. A runner that starts finds here everything that its last run left behind. Secrets are never written here.
 */
import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { STOP_REASONS } from "@tapedeck/contract/job-status.ts";
import type { Labels } from "@tapedeck/contract/labels.ts";
import type { NewDisplay } from "@tapedeck/contract/new-display.ts";
import { privateStretchSchema, type WantedPrivacy, wantedPrivacySchema } from "@tapedeck/contract/privacy.ts";
import { KEEPS, type Keep } from "@tapedeck/contract/recording-kinds.ts";
import {
	type AutoJobBody,
	isTransition,
	type JobReport,
	jobReportSchema,
	type TransitionReport,
} from "@tapedeck/contract/runner-protocol.ts";
import { type PublicStopRule, type StopRule, stopConditionUnion } from "@tapedeck/contract/stop-condition.ts";
import { type VideoOptions, videoFormat, videoFormatSchema } from "@tapedeck/contract/video-options.ts";
import * as z from "zod";
import { atCurrentClock, bootMs, stamped } from "../base/clock.ts";
import { type Fault, messageOf } from "../base/fault.ts";
import { type DashboardIdentity, dashboardSchema } from "./dashboard-identity.ts";

/** Number of acknowledged history entries that are kept, in case the dashboard is restored from a backup. */
const MAX_ACKNOWLEDGED_ENTRIES = 100;

const partSchema = z.object({
	/** Number in the file's name, from 1. */
	part: z.int().positive(),
	/** When the first frame was captured, ms since 1970; null while there is none. */
	firstFrameAt: z.number().nullable(),
	/** Position of its first frame on the recording's timeline, in frames. */
	startFrames: z.int().nonnegative(),
	/** The wall clock that stamps its frames, as of the start of ffmpeg. */
	clock: z.object({ boot: z.string(), wallAtBootMs: z.number() }),
	/** Number of valid frames: later ones were stamped after the clock was set. Null when all are valid. */
	endFrames: z.int().nonnegative().nullable(),
	/** Whether it was reported that the recording continued with this part. */
	reported: z.boolean(),
	/** The area of the display that it shows, in pixels. Earlier versions recorded all of it. */
	x: z.int().nonnegative().default(0),
	y: z.int().nonnegative().default(0),
	width: z.int(),
	height: z.int(),
	xName: z.string(),
	/** Whether it is black instead of what its display shows. */
	isPrivate: z.boolean().default(false),
});

const stopSchema = z.object({
	reason: z.enum(STOP_REASONS),
	/** One sentence, where the reason fails the job. */
	message: z.string().optional(),
	/** The observations behind the decision. */
	data: z.record(z.string(), z.unknown()).optional(),
});
/** Why a recording has to end, or ended. */
export type StopDecision = z.infer<typeof stopSchema>;

/** The decision to end a recording because of a fault. */
export const stopFor = (fault: Fault<StopDecision["reason"]>): StopDecision => ({
	reason: fault.code,
	message: messageOf(fault),
});

/** Nobody has asked for privacy. */
const NO_PRIVACY: WantedPrivacy = { version: 0, on: false };

/** A field that a later version adds needs a default: what is in the spool outlives an upgrade. */
const manifestShape = {
	version: z.literal(1),
	/** Null while the dashboard does not know the job: one that started on the runner, or one that it has forgotten. */
	jobId: z.int().positive().nullable(),
	/** Identifies the job independently of its id. */
	key: z.string(),
	/** The dashboard it belongs to. */
	dashboard: dashboardSchema,
	/** When the runner took or started the job, RFC 3339. */
	takenAt: z.string(),
	/** The id of the former job, which the dashboard has forgotten. */
	formerId: z.int().positive().nullable(),
	/** The origin of the recording: a job of the dashboard, or the runner, which then requests a job from the dashboard. */
	origin: z.enum(["dashboard", "auto-record", "command"]),
	displayId: z.string(),
	/** Whether the runner made its display, which ends with the job and with the runner. */
	virtualDisplay: z.boolean().default(false),
	name: z.string(),
	/** When it ends at the latest, in seconds from the first frame; null for never. */
	maxDurationSeconds: z.int().positive().nullable(),
	/** Labels and keep policy of its job, if a command started the recording. */
	labels: z.record(z.string(), z.string()),
	keep: z.enum(KEEPS).nullable(),
	/** The kind of the command that it belongs to (runner/control/messages.ts); null when there is none, or it has ended. */
	owner: z.enum(["run", "record"]).nullable(),
	/** State of a recording that is kept only on failure: nothing is sent until the command fails. `dropped`: it succeeded. */
	held: z.enum(["until_failed", "dropped"]).nullable().default(null),
	/** False for a recording of auto-record that the dashboard is to name. */
	named: z.boolean(),
	/** Whether the grid's password has to be requested again after a restart. */
	passwordNeeded: z.boolean(),
	cancelSeen: z.boolean(),
	/** Whether the first frame was reported. */
	recordingReported: z.boolean(),
	parts: z.array(partSchema),
	/** Requested length of the past, from a buffer, in seconds. */
	preSeconds: z.int().nonnegative().default(0),
	/** The part of the past that the buffer had: its first parts, and the number of frames until the request. */
	past: z.object({ parts: z.int().positive(), frames: z.int().nonnegative() }).nullable().default(null),
	/**
	 * The encoding of its parts, which is the same for all: else they could not be joined. Earlier versions left out what was built in,
	 * or wrote null.
	 */
	video: z.preprocess((options) => videoFormat(options ?? {}), videoFormatSchema),
	/** Number of reported capture stalls. */
	stallsTold: z.int().nonnegative(),
	/** The last request. Every part that starts follows it. */
	privacy: wantedPrivacySchema.default(NO_PRIVACY),
	/** The state that was reported as effective. */
	privacyReported: wantedPrivacySchema
		.extend({ stretches: z.array(privateStretchSchema) })
		.default({ ...NO_PRIVACY, stretches: [] }),
	/** Why it has to end, or ended; the first reason wins. */
	stop: stopSchema.nullable(),
	/** Whether capture is over and its outcome is in a report. */
	settled: z.boolean(),
	nextSeq: z.int().positive(),
	/** Reports that the dashboard has not acknowledged, in order. */
	outbox: z.array(jobReportSchema),
	/** Acknowledged reports, which a dashboard restored from a backup gets again. */
	sentReports: z.array(jobReportSchema),
	upload: z.object({ id: z.string(), complete: z.boolean() }).nullable(),
};
/** Includes the stop condition, without its secrets. */
const manifestSchema = stopConditionUnion("publicConfig", manifestShape);
export type Manifest = z.infer<typeof manifestSchema>;

export type Part = z.infer<typeof partSchema>;

/** A job to record: with the dashboard's id, or with a key of the runner's until the dashboard has created the job. */
export type JobOrder = StopRule & {
	displayId: string;
	/** The size of the display to make, if `displayId` is NEW_DISPLAY. */
	display?: NewDisplay;
	/** Whether the display was made for it. */
	virtualDisplay?: boolean;
	name: string;
	id: number | null;
	key: string;
	origin: Manifest["origin"];
	named?: boolean;
	labels?: Labels;
	keep?: Keep;
	owner?: Manifest["owner"];
	/** Nothing is sent before its command has failed, and nothing is kept if it succeeds. It has an owner then. */
	onlyFailed?: boolean;
	maxDurationSeconds?: number;
	video?: VideoOptions;
	preSeconds?: number;
	privacy?: WantedPrivacy;
	/** Why it must not start at all. */
	stop?: Manifest["stop"];
};

function newManifest(order: JobOrder, dashboard: DashboardIdentity): Manifest {
	return stamped((timeOf) => ({
		version: 1,
		jobId: order.id,
		key: order.key,
		dashboard,
		takenAt: timeOf(bootMs()),
		formerId: null,
		origin: order.origin,
		displayId: order.displayId,
		virtualDisplay: order.virtualDisplay ?? false,
		name: order.name,
		named: order.named ?? true,
		labels: order.labels ?? {},
		keep: order.keep ?? null,
		owner: order.owner ?? null,
		held: order.onlyFailed ? "until_failed" : null,
		maxDurationSeconds: order.maxDurationSeconds ?? null,
		...withoutSecrets(order),
		cancelSeen: false,
		recordingReported: false,
		parts: [],
		preSeconds: order.preSeconds ?? 0,
		past: null,
		video: videoFormat(order.video ?? {}),
		stallsTold: 0,
		privacy: order.privacy ?? NO_PRIVACY,
		privacyReported: { ...NO_PRIVACY, stretches: [] },
		stop: order.stop ?? null,
		settled: false,
		nextSeq: 1,
		outbox: [],
		sentReports: [],
		upload: null,
	}));
}

/** The stop condition as it may be written to disk. */
function withoutSecrets(rule: StopRule): PublicStopRule & Pick<Manifest, "passwordNeeded"> {
	switch (rule.stopCondition) {
		case "duration":
			return { stopCondition: "duration", stopConditionConfig: rule.stopConditionConfig, passwordNeeded: false };
		case "interrupt":
			return { stopCondition: "interrupt", stopConditionConfig: {}, passwordNeeded: false };
		case "selenium_idle": {
			const { gridPassword, ...stopConditionConfig } = rule.stopConditionConfig;
			return { stopCondition: "selenium_idle", stopConditionConfig, passwordNeeded: gridPassword !== undefined };
		}
		case "selenium_session": {
			const { gridPassword, ...stopConditionConfig } = rule.stopConditionConfig;
			return { stopCondition: "selenium_session", stopConditionConfig, passwordNeeded: gridPassword !== undefined };
		}
	}
}

type WithoutIds<R extends JobReport> = R extends JobReport ? Omit<R, "jobId" | "jobKey" | "seq" | "at"> : never;
export type NewReport = WithoutIds<JobReport>;
/** A report that adds to the job's history and changes nothing else on the way to its end. */
export type HistoryEntry = WithoutIds<Exclude<JobReport, TransitionReport>>;

export class JobSpool {
	readonly folder: string;
	readonly manifest: Manifest;
	/** Why the last change could not be saved. The job continues from memory, and the next change tries again. */
	saveError: NodeJS.ErrnoException | null = null;
	/** Nothing is delivered before this resolves. */
	released: Promise<void> = Promise.resolve();
	/** Bytes of the video that the dashboard has confirmed to this process. */
	confirmedBytes = 0;
	/** The ids of test results that the dashboard has stored since this process began, by their keys. */
	readonly resultIds = new Map<string, number>();
	#saving: Promise<void> = Promise.resolve();
	#queued = false;
	#removed = false;
	#forgotten = new AbortController();
	readonly #concluded = Promise.withResolvers<void>();
	readonly #unheld = Promise.withResolvers<void>();

	constructor(folder: string, manifest: Manifest) {
		this.folder = folder;
		this.manifest = manifest;
		if (manifest.owner !== "run") this.conclude();
		if (manifest.held !== null) this.released = this.#unheld.promise;
	}

	get jobId(): number | null {
		return this.manifest.jobId;
	}

	/** Names the job in log messages. */
	get label(): string {
		return this.jobId === null ? `Recording "${this.manifest.name}"` : `Job ${this.jobId}`;
	}

	/** Changes the manifest; resolves when the change is saved, or `saveError` set. */
	async update(change: (manifest: Manifest) => void): Promise<void> {
		change(this.manifest);
		await this.#save();
	}

	/** Resolves when the recorded command has no more to report: until then, the recording is not delivered completely. */
	get concluded(): Promise<void> {
		return this.#concluded.promise;
	}

	conclude(): void {
		this.#concluded.resolve();
	}

	/** Its command has failed: from now on it is delivered like any other. Saved with the next change. */
	release(): void {
		this.manifest.held = null;
		this.#unheld.resolve();
	}

	/** Numbers a report and adds it to the outbox. @param moment when it happened, in ms since boot. */
	async report(report: NewReport, moment = bootMs()): Promise<void> {
		await this.update((manifest) => {
			// An auto-record job may have no id yet; the reporter fills it in when there is one.
			const ids = { jobId: manifest.jobId ?? 1, jobKey: manifest.key, seq: manifest.nextSeq++ };
			manifest.outbox.push(stamped((timeOf) => ({ ...report, ...ids, at: timeOf(moment) }) as JobReport));
		});
	}

	/** Moves acknowledged reports out of the outbox. @param seqs their numbers. */
	async acknowledged(seqs: ReadonlySet<number>): Promise<void> {
		await this.update((manifest) => {
			const entries = manifest.sentReports.filter((report) => !isTransition(report)).length;
			let surplus = entries - MAX_ACKNOWLEDGED_ENTRIES;
			const kept = manifest.sentReports.filter((report) => isTransition(report) || surplus-- <= 0);
			manifest.sentReports = [...kept, ...manifest.outbox.filter(({ seq }) => seqs.has(seq))];
			manifest.outbox = manifest.outbox.filter(({ seq }) => !seqs.has(seq));
		});
	}

	/** The dashboard may have been restored from a backup: sends all reports again, and checks the upload again. */
	async resendReports(): Promise<void> {
		await this.update((manifest) => {
			manifest.outbox = [...manifest.sentReports, ...manifest.outbox].sort((a, b) => a.seq - b.seq);
			manifest.sentReports = [];
			if (manifest.upload !== null) manifest.upload.complete = false;
		});
	}

	/** The recording is of this session of the grid: a runner that restarts follows no other one. */
	async follow(sessionId: string): Promise<void> {
		await this.update((manifest) => {
			if (manifest.stopCondition === "selenium_session") manifest.stopConditionConfig.sessionId = sessionId;
		});
	}

	/** Aborted when the dashboard has forgotten the current job. */
	get forgotten(): AbortSignal {
		return this.#forgotten.signal;
	}

	/** The dashboard has forgotten the job: a new one is created, and everything is sent from the beginning. */
	async forget(): Promise<void> {
		this.manifest.formerId = this.manifest.jobId ?? this.manifest.formerId;
		this.manifest.jobId = null;
		this.manifest.upload = null;
		this.confirmedBytes = 0;
		this.#forgotten.abort();
		this.#forgotten = new AbortController();
		await this.resendReports();
	}

	/** Reassigns the recording to this dashboard, where it gets a new job. */
	async adopt(dashboard: DashboardIdentity): Promise<void> {
		this.manifest.dashboard = dashboard;
		// The other dashboard still knows the job by the current key.
		this.manifest.key = randomUUID();
		await this.forget();
	}

	/** The request to create this recording's job, which its key makes idempotent. */
	get creation(): Omit<AutoJobBody, "sessionId" | "sentAt" | "clockShiftMs"> {
		const { key, formerId, displayId, name, named, takenAt, stopCondition, stopConditionConfig } = this.manifest;
		const { maxDurationSeconds, preSeconds } = this.manifest;
		const { labels, keep, owner } = this.manifest;
		const at = atCurrentClock(takenAt, this.manifest);
		const isNamed = named || formerId !== null;
		return {
			key,
			displayId,
			at,
			stopCondition,
			stopConditionConfig,
			...(isNamed ? { name } : {}),
			...(formerId === null ? {} : { formerId }),
			...(Object.keys(labels).length === 0 ? {} : { labels }),
			...(keep === null ? {} : { keep }),
			...(owner === "run" ? { outcomeExpected: true } : {}),
			...(maxDurationSeconds === null ? {} : { maxDurationSeconds }),
			...(preSeconds === 0 ? {} : { preSeconds }),
		};
	}

	async remove(): Promise<void> {
		this.#removed = true;
		await this.#saving;
		await rm(this.folder, { recursive: true, force: true });
	}

	/** Writes one at a time; changes made during a write are combined into the next one. Never rejects. */
	#save(): Promise<void> {
		if (this.#queued) return this.#saving;
		this.#queued = true;
		this.#saving = this.#saving.then(async () => {
			this.#queued = false;
			if (this.#removed) return;
			try {
				await writeAtomically(join(this.folder, "manifest.json"), this.manifest);
				this.saveError = null;
			} catch (error) {
				this.saveError = error as NodeJS.ErrnoException;
			}
		});
		return this.#saving;
	}
}

/** Writes JSON atomically: after a crash at any time, the file has either the old or the new content. */
async function writeAtomically(path: string, value: unknown): Promise<void> {
	const file = await open(`${path}.new`, "w", 0o600);
	try {
		await file.writeFile(JSON.stringify(value));
		await file.datasync();
	} finally {
		await file.close();
	}
	await rename(`${path}.new`, path);
}

export class Spool {
	readonly root: string;

	/** @param dataDir the runner's data directory; the spool is its folder `jobs`. */
	constructor(dataDir: string) {
		this.root = join(dataDir, "jobs");
	}

	/**
	 * Creates the folder of a new job. On a disk error, the returned spool has a `saveError`.
	 * @param dashboard the one that the recording is for, as far as it is known.
	 */
	async create(order: JobOrder, dashboard: DashboardIdentity): Promise<JobSpool> {
		const folder = await this.#createFolder(order.id === null ? `${order.origin}-${order.key}` : `job-${order.id}`);
		const spool = new JobSpool(folder, newManifest(order, dashboard));
		await spool.update(() => undefined);
		return spool;
	}

	/** Creates a folder with this name, plus a number if another job's (such as another dashboard's) has it. */
	async #createFolder(name: string): Promise<string> {
		await mkdir(this.root, { recursive: true, mode: 0o700 }).catch(() => undefined);
		for (let number = 1; ; number++) {
			const folder = join(this.root, number === 1 ? name : `${name}-${number}`);
			try {
				await mkdir(folder, { mode: 0o700 });
				return folder;
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== "EEXIST") return folder;
			}
		}
	}

	/** Everything that a previous process left behind. `unreadable`: names of folders whose manifest cannot be read. */
	async list(): Promise<{ spools: JobSpool[]; unreadable: string[] }> {
		await mkdir(this.root, { recursive: true, mode: 0o700 });
		const spools: JobSpool[] = [];
		const unreadable: string[] = [];
		for (const name of await readdir(this.root)) {
			const folder = join(this.root, name);
			const manifest = await readManifest(join(folder, "manifest.json"));
			if (manifest !== null) spools.push(new JobSpool(folder, manifest));
			else unreadable.push(name);
		}
		return { spools, unreadable };
	}
}

/** @returns null when the file is missing or not a valid manifest. */
export async function readManifest(path: string): Promise<Manifest | null> {
	try {
		return manifestSchema.parse(JSON.parse(await readFile(path, "utf8")));
	} catch {
		return null;
	}
}
