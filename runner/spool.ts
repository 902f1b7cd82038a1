/**
 * What must outlive the runner: one folder a job, with the captured parts and a manifest that says how far
 * the job has come. A runner that starts again finds here everything its last life left behind.
 * No secret is ever written here.
 */
import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { STOP_REASONS } from "#lib/contract/job.ts";
import { autoJobBodySchema, type JobReport, jobReportSchema, type RunnerJob } from "#lib/contract/runner-protocol.ts";
import { STOP_CONDITIONS } from "#lib/contract/stop-condition.ts";
import { type DashboardIdentity, dashboardSchema } from "./spool/dashboard-identity.ts";
import { salvage } from "./salvage.ts";
import { byPresentClock, stamped } from "./told-instants.ts";

/** Notes that are kept after they were acknowledged. */
const MAX_TOLD_NOTES = 100;

const partSchema = z.object({
	/** Number in the file's name, from 1. */
	part: z.int().positive(),
	/** Instant of the first frame, ms since 1970; null while there is none. */
	firstFrameAt: z.number().nullable(),
	/** Where on the recording's timeline its first frame lies, in frames. */
	startFrames: z.int().nonnegative().default(0),
	/** The wall clock, by which its frames are stamped, when its ffmpeg was started; null when an older runner did it. */
	clock: z.object({ boot: z.string(), wallAtBootMs: z.number() }).nullable().default(null),
	/** How many frames of it count at most: what comes later was stamped by a clock that had been set. Null for all. */
	endFrames: z.int().nonnegative().nullable().default(null),
	/** Whether it is told that the recording went on with it. */
	told: z.boolean().default(true),
	/** Of the display when it began. */
	width: z.int(),
	height: z.int(),
	xName: z.string(),
});

const manifestSchema = z.object({
	version: z.literal(1),
	/** Null for an auto-record job that the dashboard does not know yet, and for one that it has forgotten. */
	jobId: z.int().positive().nullable(),
	/** Tells the job from others of that number; null from dashboards without keys, and while there is no job. */
	key: z.string().nullable().default(null),
	/** Whose it is; null when an older runner wrote this. */
	dashboard: dashboardSchema.nullable().default(null),
	/** When the runner took the job, RFC 3339. */
	takenAt: z.string().nullable().default(null),
	/** The number of the job that the dashboard has forgotten. */
	formerId: z.int().positive().nullable().default(null),
	/** How the runner asks for the job of an auto-record recording; null for all others. */
	auto: autoJobBodySchema.omit({ sessionId: true, sentAt: true, clockShiftMs: true, formerId: true }).nullable(),
	displayId: z.string(),
	name: z.string(),
	stopCondition: z.enum(STOP_CONDITIONS),
	/** Without the grid's password. */
	stopConditionConfig: z.record(z.string(), z.unknown()),
	/** Whether the grid's password has to be asked for again after a restart. */
	passwordNeeded: z.boolean(),
	cancelSeen: z.boolean(),
	/** The first frame is reported. */
	recordingTold: z.boolean(),
	parts: z.array(partSchema),
	/** How many stalls of the capture are told. */
	stallsTold: z.int().nonnegative().default(0),
	/** Why it has to end, or ended; the first reason wins. */
	stop: z
		.object({
			reason: z.enum(STOP_REASONS),
			message: z.string().optional(),
			data: z.record(z.string(), z.unknown()).optional(),
		})
		.nullable(),
	/** Capture is over and its outcome is told in a report. */
	settled: z.boolean(),
	nextSeq: z.int().positive(),
	/** Reports that the dashboard has not acknowledged, in order. */
	outbox: z.array(jobReportSchema),
	/** Reports that were acknowledged: a dashboard that is restored from a backup gets them again. */
	told: z.array(jobReportSchema).default([]),
	upload: z.object({ id: z.string(), complete: z.boolean() }).nullable(),
});
export type Manifest = z.infer<typeof manifestSchema>;
export type Part = z.infer<typeof partSchema>;

/** A job as the runner knows it: with an id, or with its own key until the dashboard gives one. */
export type JobOrder = Pick<RunnerJob, "displayId" | "name" | "stopCondition" | "stopConditionConfig"> & {
	id: number | null;
	key?: string;
	auto: Manifest["auto"];
	/** Why it must not begin at all. */
	stop?: Manifest["stop"];
};

function newManifest(order: JobOrder, dashboard: DashboardIdentity): Manifest {
	const { gridPassword, ...config } = order.stopConditionConfig as Record<string, unknown>;
	return {
		version: 1,
		jobId: order.id,
		key: order.key ?? null,
		dashboard,
		takenAt: new Date().toISOString(),
		formerId: null,
		auto: order.auto && stamped(order.auto),
		displayId: order.displayId,
		name: order.name,
		stopCondition: order.stopCondition,
		stopConditionConfig: config,
		passwordNeeded: gridPassword !== undefined,
		cancelSeen: false,
		recordingTold: false,
		parts: [],
		stallsTold: 0,
		stop: order.stop ?? null,
		settled: false,
		nextSeq: 1,
		outbox: [],
		told: [],
		upload: null,
	};
}

type NewReport = JobReport extends infer R ? (R extends JobReport ? Omit<R, "jobId" | "seq"> : never) : never;

export class JobSpool {
	readonly folder: string;
	readonly manifest: Manifest;
	/** Why the last change is not on disk; the job goes on from memory, and the next change tries again. */
	saveError: NodeJS.ErrnoException | null = null;
	/** Bytes of the video that the dashboard has; known while this runner uploads it. */
	confirmedBytes = 0;
	#saving: Promise<void> = Promise.resolve();
	#queued = false;
	#removed = false;
	#forgotten = new AbortController();

	constructor(folder: string, manifest: Manifest) {
		this.folder = folder;
		this.manifest = manifest;
	}

	get jobId(): number | null {
		return this.manifest.jobId;
	}

	/** The job in words, for the log. */
	get label(): string {
		return this.jobId === null ? `Recording "${this.manifest.name}"` : `Job ${this.jobId}`;
	}

	/** Changes the manifest; resolves when the change is on disk. */
	async update(change: (manifest: Manifest) => void): Promise<void> {
		change(this.manifest);
		await this.#save();
	}

	/** Numbers a report and keeps it until it is acknowledged. */
	async report(report: NewReport): Promise<void> {
		await this.update((manifest) => {
			// An auto-record job may have no id yet; the reporter fills it in when there is one.
			const full = { ...report, jobId: manifest.jobId ?? 1, seq: manifest.nextSeq++ } as JobReport;
			manifest.outbox.push(stamped(full));
		});
	}

	/** Keeps acknowledged reports apart from those that are still to be sent. */
	async acknowledged(seqs: ReadonlySet<number>): Promise<void> {
		await this.update((manifest) => {
			const notes = manifest.told.filter(({ type }) => type === "note").length;
			let surplus = notes - MAX_TOLD_NOTES;
			const kept = manifest.told.filter(({ type }) => type !== "note" || surplus-- <= 0);
			manifest.told = [...kept, ...manifest.outbox.filter(({ seq }) => seqs.has(seq))];
			manifest.outbox = manifest.outbox.filter(({ seq }) => !seqs.has(seq));
		});
	}

	/** The dashboard may be an earlier state of itself: reports are sent again, and the upload is asked for again. */
	async retell(): Promise<void> {
		await this.update((manifest) => {
			manifest.outbox = [...manifest.told, ...manifest.outbox].sort((a, b) => a.seq - b.seq);
			manifest.told = [];
			if (manifest.upload !== null) manifest.upload.complete = false;
		});
	}

	/** Aborted when the dashboard has forgotten the job that there is now. */
	get forgotten(): AbortSignal {
		return this.#forgotten.signal;
	}

	/** Its dashboard does not know the job any more: it gets a new one, with everything from the beginning. */
	async forget(): Promise<void> {
		this.manifest.formerId = this.manifest.jobId ?? this.manifest.formerId;
		this.manifest.jobId = null;
		this.manifest.upload = null;
		this.confirmedBytes = 0;
		this.#forgotten.abort();
		this.#forgotten = new AbortController();
		await this.retell();
	}

	/** From now on it is for this dashboard, where it gets a new job. */
	async adopt(dashboard: DashboardIdentity): Promise<void> {
		this.manifest.dashboard = dashboard;
		// In another dashboard the job stays known by its own key.
		this.manifest.key = randomUUID();
		if (this.manifest.auto !== null) this.manifest.auto = { ...this.manifest.auto, key: this.manifest.key };
		// An older dashboard would refuse to be told the former number.
		if (dashboard.id === null) this.manifest.jobId = null;
		await this.forget();
	}

	/** What the dashboard is asked with for the job of this recording; null when that would not be its own key. */
	get creation(): (NonNullable<Manifest["auto"]> & { formerId?: number }) | null {
		const { auto, key, formerId, displayId, name, takenAt, stopCondition, stopConditionConfig } = this.manifest;
		const former = formerId === null ? {} : { formerId };
		if (auto !== null) return { ...byPresentClock(auto), ...(formerId === null ? {} : { name }), ...former };
		if (key === null) return null;
		const at = takenAt ?? new Date().toISOString();
		return { key, displayId, name, at, stopCondition, stopConditionConfig, ...former };
	}

	async remove(): Promise<void> {
		this.#removed = true;
		await this.#saving;
		await rm(this.folder, { recursive: true, force: true });
	}

	/** One write at a time; changes made meanwhile go into one further write. Never rejects. */
	#save(): Promise<void> {
		if (this.#queued) return this.#saving;
		this.#queued = true;
		this.#saving = this.#saving.then(async () => {
			this.#queued = false;
			if (this.#removed) return;
			try {
				await writeWhole(join(this.folder, "manifest.json"), this.manifest);
				this.saveError = null;
			} catch (error) {
				this.saveError = error as NodeJS.ErrnoException;
			}
		});
		return this.#saving;
	}
}

/** Writes JSON so that a reader, whenever it was killed, finds the old or the new, never a half. */
async function writeWhole(path: string, value: unknown): Promise<void> {
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
	 * Makes the folder of a new job. When the disk refuses, `saveError` of what it returns says so.
	 * @param dashboard the one that the recording is for, as far as it is known.
	 */
	async create(order: JobOrder, dashboard: DashboardIdentity): Promise<JobSpool> {
		const folder = await this.#makeFolder(order.id === null ? `auto-${order.auto?.key}` : `job-${order.id}`);
		const spool = new JobSpool(folder, newManifest(order, dashboard));
		await spool.update(() => undefined);
		return spool;
	}

	/** A folder of that name, or with a number behind it: another job's may be there, such as one of another dashboard. */
	async #makeFolder(name: string): Promise<string> {
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

	/**
	 * Everything that a last life left behind.
	 * @param salvaged is told where the videos are of a job whose manifest cannot be read.
	 */
	async list(salvaged: (name: string, kept: string) => void): Promise<JobSpool[]> {
		await mkdir(this.root, { recursive: true, mode: 0o700 });
		const spools: JobSpool[] = [];
		for (const name of await readdir(this.root)) {
			const folder = join(this.root, name);
			const manifest = await readManifest(join(folder, "manifest.json"));
			if (manifest !== null) spools.push(new JobSpool(folder, manifest));
			else {
				const kept = await salvage(this.root, name);
				if (kept !== null) salvaged(name, kept);
			}
		}
		return spools;
	}
}

/** @returns null when there is no file, or none that a runner wrote. */
export async function readManifest(path: string): Promise<Manifest | null> {
	try {
		return manifestSchema.parse(JSON.parse(await readFile(path, "utf8")));
	} catch {
		return null;
	}
}
