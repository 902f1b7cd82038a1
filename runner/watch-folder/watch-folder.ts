/**
 * Uploads the files that other programs write into a folder: each once, when it is complete. The folder is scanned again
 * and again, because folders of networks and containers tell of no changes. A video that is none becomes a failed job.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type FileType, HEAD_BYTES, nameOfFile, typeOfFile } from "@tapedeck/contract/file-types.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { errorMessage } from "../base/fault.ts";
import type { RunnerLog } from "../base/log.ts";
import { pause } from "../base/wait.ts";
import type { WatchConfig } from "../config/config.ts";
import type { Connection } from "../dashboard/connection.ts";
import { untilAccepted } from "../dashboard/until-accepted.ts";
import { UploadRefusedError, upload } from "../upload/uploader.ts";
import { type FoundFile, scanFolder } from "./scan-folder.ts";
import { SentFiles } from "./sent-files.ts";
import { FileChangedError, UnchangedFile, VIDEO, whyUnusable } from "./unchanged-file.ts";

export const PACE = {
	/** A file whose size and time have not changed for so long is complete. */
	unchangedMs: 2_000,
	/** From one scan to the next, at least. */
	scanMs: 2_000,
};
/** A scan takes at most this part of the time. */
const SCAN_SHARE = 1 / 5;
/** Files that are uploaded at a time. */
const AT_ONCE = 4;
const MAX_PATH = 1_000;

export interface WatchTools {
	connection: Connection;
	log: RunnerLog;
	/** The runner's data directory. */
	dataDir: string;
}

/** Watches until the signal aborts. @param pace for tests. @throws FatalError of the connection. */
export async function watchFolder(
	config: WatchConfig,
	tools: WatchTools,
	signal: AbortSignal,
	pace = PACE,
): Promise<void> {
	const watch = new FolderWatch(config, tools, await SentFiles.open(join(tools.dataDir, "watched-files")), signal);
	while (!signal.aborted) {
		const began = performance.now();
		await watch.look(pace.unchangedMs);
		const tookMs = performance.now() - began;
		await pause(Math.max(pace.scanMs, tookMs / SCAN_SHARE), signal);
	}
}

class FolderWatch {
	readonly #config: WatchConfig;
	readonly #tools: WatchTools;
	readonly #sent: SentFiles;
	readonly #signal: AbortSignal;
	/** The state of each file when it was last seen changed, by its path. */
	#seen = new Map<string, { file: FoundFile; since: number }>();
	/** Uploads under way, by the SHA-256 of their content. */
	readonly #uploading = new Map<string, Promise<void>>();
	/** The last complaint about each file, and about the folder: each is said once. */
	readonly #complaints = new Map<string, string>();

	constructor(config: WatchConfig, tools: WatchTools, sent: SentFiles, signal: AbortSignal) {
		this.#config = config;
		this.#tools = tools;
		this.#sent = sent;
		this.#signal = signal;
	}

	/** Scans the folder once, and uploads what is complete. */
	async look(unchangedMs: number): Promise<void> {
		const { folder, excluded } = this.#config;
		let files: FoundFile[];
		try {
			files = await scanFolder(folder, excluded);
		} catch (error) {
			return this.#complain(folder, `The watched folder cannot be read: ${errorMessage(error)}. Looking again.`);
		}
		this.#complaints.delete(folder);
		const complete = this.#unchanged(files, unchangedMs).values();
		const next = async () => {
			for (const file of complete) {
				if (this.#signal.aborted) return;
				await this.#deliverIfReadable(file);
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, next));
	}

	async #deliverIfReadable(file: FoundFile): Promise<void> {
		try {
			await this.#deliver(file);
		} catch (error) {
			// It is waited for again.
			this.#seen.delete(keyOf(file));
			if (error instanceof FileChangedError) return;
			if ((error as NodeJS.ErrnoException).code === undefined) throw error;
			this.#complain(file.name, `${shownName(file.name)} cannot be read: ${errorMessage(error)}.`);
		}
	}

	#unchanged(files: readonly FoundFile[], unchangedMs: number): FoundFile[] {
		const now = performance.now();
		const before = this.#seen;
		this.#seen = new Map();
		const complete: FoundFile[] = [];
		for (const file of files) {
			if (this.#sent.isSettled(file)) continue;
			const earlier = before.get(keyOf(file));
			const isSame = earlier?.file.bytes === file.bytes && earlier.file.changedAt === file.changedAt;
			const since = isSame ? earlier.since : now;
			this.#seen.set(keyOf(file), { file, since });
			if (isSame && now - since >= unchangedMs) complete.push(file);
		}
		return complete;
	}

	async #deliver(found: FoundFile): Promise<void> {
		const { maxBytes } = this.#config;
		const unusable = whyUnusable(found);
		if (unusable !== null) return this.#fail(found, null, unusable);
		if (maxBytes !== null && found.bytes > maxBytes)
			return this.#refuse(found, null, `it has ${found.bytes} bytes, more than TAPEDECK_WATCH_MAX_BYTES allows`);
		const file = await UnchangedFile.open(found);
		try {
			const sha256 = await file.sha256(this.#signal);
			if (sha256 === null) return;
			// The same content under other names, or with other times, one after the other: the first that succeeds is the only one.
			for (let other = this.#uploading.get(sha256); other !== undefined; other = this.#uploading.get(sha256))
				await other.catch(() => undefined);
			const uploading = this.#upload(found, file, sha256);
			this.#uploading.set(sha256, uploading);
			await uploading.finally(() => this.#uploading.delete(sha256));
		} finally {
			await file.close();
		}
	}

	async #upload(found: FoundFile, file: UnchangedFile, sha256: string): Promise<void> {
		const { connection, log } = this.#tools;
		const known = this.#sent.ofContent(sha256);
		if (known?.state === "sent" || known?.state === "refused") return this.#sent.note(found, sha256, known);
		const head = Buffer.alloc(Math.min(HEAD_BYTES, found.bytes));
		await file.read(0, head);
		const type = typeOfFile(found.name, head);
		const task = {
			label: shownName(found.name),
			jobId: null,
			jobKey: null,
			source: file,
			...describe(found.name, type),
			uploadId: known?.uploadId ?? null,
			begun: (uploadId: string | null) => this.#sent.note(found, sha256, { state: "begun", uploadId }),
			confirmed: () => undefined,
		};
		try {
			if (!(await upload(task, connection, log, this.#signal))) return;
		} catch (error) {
			if (!(error instanceof UploadRefusedError)) throw error;
			const reason = error.message;
			return type.kind === "video" ? this.#fail(found, sha256, reason) : this.#refuse(found, sha256, reason);
		}
		await this.#sent.note(found, sha256, { state: "sent" });
		log.info(`${shownName(found.name)} is uploaded.`);
	}

	/** A file that was to be a video: a job fails, so that it is seen that a recording is missing. */
	async #fail(found: FoundFile, sha256: string | null, reason: string): Promise<void> {
		if (VIDEO.test(found.name)) await this.#reportFailure(found, reason);
		if (!this.#signal.aborted) await this.#refuse(found, sha256, reason);
	}

	async #reportFailure(found: FoundFile, reason: string): Promise<void> {
		const { connection } = this.#tools;
		const { client, clock } = connection;
		const at = new Date().toISOString();
		const { name, labels } = describe(found.name, { kind: "video", type: "" });
		const sentence = `${shownName(found.name)} did not become a recording: ${reason}.`;
		// The same for a repeated call, and another one once the file has changed.
		const state = createHash("sha256").update(found.path).update(` ${found.bytes} ${found.changedAt}`);
		const key = `watched-${state.digest("hex")}`;
		await untilAccepted(connection, this.#signal, async (sessionId) => {
			const common = { sessionId, sentAt: new Date().toISOString(), clockShiftMs: clock.shiftMs };
			const path = join(this.#config.folder, found.name).slice(0, MAX_PATH);
			// A dashboard of an earlier version wants a display.
			const job = { key, displayId: ":0", path, name, labels, at, stopCondition: "interrupt" };
			const { id } = await client.createAutoJob({ ...common, ...job });
			const failed = { type: "failed", code: "file_unavailable", message: sentence } as const;
			await client.reports({ ...common, jobs: [{ ...failed, jobId: id, jobKey: key, seq: 1, at }] });
		});
	}

	/** It is uploaded no more, unless it changes. */
	async #refuse(found: FoundFile, sha256: string | null, reason: string): Promise<void> {
		await this.#sent.note(found, sha256, { state: "refused" });
		this.#tools.log.warn(`${shownName(found.name)} is not uploaded: ${reason}.`);
	}

	#complain(about: string, sentence: string): void {
		if (this.#complaints.get(about) === sentence) return;
		this.#complaints.set(about, sentence);
		this.#tools.log.warn(sentence);
	}
}

const keyOf = ({ path }: FoundFile): string => path.toString("latin1");

/** A name for lines of the log: without line breaks and other control characters. */
const shownName = (name: string): string => sanitizeName(name, MAX_PATH) || "A file";

/** The name of a file's recording; the session of a grid is a label. */
function describe(file: string, { kind, type }: FileType) {
	const { name, labels } = nameOfFile(file.slice(file.lastIndexOf("/") + 1), kind);
	return { name, kind, filetype: type, ...(Object.keys(labels).length === 0 ? {} : { labels }) };
}
