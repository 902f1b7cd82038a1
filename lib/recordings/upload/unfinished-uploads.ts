/**
 * Counts the unfinished uploads of each caller. Each has files before its first byte, which no quota counts. A
 * dashboard counts those that it holds; a job's upload is limited with its jobs.
 */
import { readdir } from "node:fs/promises";
import type { RecordingContext } from "../recording-context.ts";
import { readRecordFile } from "../store/video-store.ts";
import { Refusal } from "./tus-handler.ts";
import type { UploadOwner } from "./upload-record.ts";

const MAX_UNFINISHED = 100;
/** Names per query. */
const BATCH = 500;

type Files = Pick<RecordingContext, "db" | "videoFiles">;
interface Unfinished {
	owner: string;
	/** Whether its record is stored: before that, its request is under way. */
	isStored: boolean;
}

const tooMany = () =>
	new Refusal(
		429,
		`You have ${MAX_UNFINISHED} unfinished uploads. Finish them, or delete them with DELETE; those that get no byte for 24 hours are removed.`,
	);

const keyOf = ({ organizationId, kind, id }: UploadOwner): string => `${organizationId} ${kind} ${id}`;

export class UnfinishedUploads {
	readonly #files: Files;
	/** Null until the first upload after the start. */
	#known: Promise<Map<string, Unfinished>> | null = null;

	constructor(files: Files) {
		this.#files = files;
	}

	/** Counts a new upload. @throws a refusal with 429 if its owner has too many. */
	async begin(uploadId: string, owner: UploadOwner): Promise<void> {
		this.#known ??= this.#read().catch((error) => {
			this.#known = null;
			throw error;
		});
		const known = await this.#known;
		const key = keyOf(owner);
		const own = () => [...known].filter(([, unfinished]) => unfinished.owner === key);
		if (own().length >= MAX_UNFINISHED) await this.#forgetEnded(known, own());
		// Nothing else runs between the count and the entry.
		if (own().length >= MAX_UNFINISHED) throw tooMany();
		known.set(uploadId, { owner: key, isStored: false });
	}

	/** Its record is stored. */
	async stored(uploadId: string): Promise<void> {
		const unfinished = (await this.#known?.catch(() => null))?.get(uploadId);
		if (unfinished !== undefined) unfinished.isStored = true;
	}

	/** It is finished, was removed, or cannot begin. */
	async end(uploadId: string): Promise<void> {
		(await this.#known?.catch(() => null))?.delete(uploadId);
	}

	/** Uploads also end by the sweep, by retention, or at another dashboard. */
	async #forgetEnded(known: Map<string, Unfinished>, some: [string, Unfinished][]): Promise<void> {
		const stored = some.filter(([, { isStored }]) => isStored).map(([uploadId]) => uploadId);
		const unfinished = new Set(await this.#unfinishedOf(stored));
		for (const uploadId of stored) {
			const isThere =
				unfinished.has(uploadId) && (await readRecordFile(this.#files.videoFiles, uploadId)) !== undefined;
			if (!isThere) known.delete(uploadId);
		}
	}

	/** The unfinished uploads of earlier processes. */
	async #read(): Promise<Map<string, Unfinished>> {
		const { videoFiles } = this.#files;
		const names = await readdir(videoFiles.dir);
		const uploadIds = names.flatMap((name) => /^([0-9a-f]{32})\.json$/.exec(name)?.[1] ?? []);
		const known = new Map<string, Unfinished>();
		for (let at = 0; at < uploadIds.length; at += BATCH) {
			for (const uploadId of await this.#unfinishedOf(uploadIds.slice(at, at + BATCH))) {
				const owner = (await readRecordFile(videoFiles, uploadId))?.owner;
				if (owner !== undefined) known.set(uploadId, { owner: keyOf(owner), isStored: true });
			}
		}
		return known;
	}

	/** @returns the uploads without a recording or an attachment, or whose recording is still in progress. */
	async #unfinishedOf(uploadIds: readonly string[]): Promise<string[]> {
		if (uploadIds.length === 0) return [];
		const ended = await this.#files.db
			.selectFrom("recording")
			.select("uploadId")
			.where("uploadId", "in", uploadIds)
			.where("state", "<>", "live")
			.execute();
		const attached = await this.#files.db
			.selectFrom("attachment")
			.select("uploadId")
			.where("uploadId", "in", uploadIds)
			.execute();
		const known = new Set([...ended, ...attached].map(({ uploadId }) => uploadId));
		return uploadIds.filter((uploadId) => !known.has(uploadId));
	}
}
