/**
 * Uploads the videos that other programs write into a folder: each once, when it is complete. The folder is scanned again
 * and again, because folders of networks and containers tell of no changes.
 */
import { join } from "node:path";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { MAX_NAME_LENGTH } from "@tapedeck/contract/recording-kinds.ts";
import { errorMessage } from "../base/fault.ts";
import type { RunnerLog } from "../base/log.ts";
import { pause } from "../base/wait.ts";
import type { WatchConfig } from "../config/config.ts";
import type { Connection } from "../dashboard/connection.ts";
import { UploadRefusedError, upload } from "../upload/uploader.ts";
import { type FoundFile, scanFolder } from "./scan-folder.ts";
import { SentFiles } from "./sent-files.ts";
import { FileChangedError, UnchangedFile } from "./unchanged-file.ts";

export const PACE = {
	/** A file whose size and time have not changed for so long is complete. */
	unchangedMs: 2_000,
	/** From one scan to the next, at least. */
	scanMs: 2_000,
};
/** A scan takes at most this part of the time. */
const SCAN_SHARE = 1 / 5;
/** The size of a video whose recorder (docker-selenium's ffmpeg) was killed before the video had an index. */
const HEAD_ALONE_BYTES = 28;
/** docker-selenium's `<name>_<session>.mp4`, with the session ids of Chrome and Firefox. */
const OF_SESSION = /^(.*)_([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

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
		for (const file of this.#unchanged(files, unchangedMs)) {
			if (this.#signal.aborted) return;
			try {
				await this.#deliver(file);
			} catch (error) {
				// It is waited for again.
				this.#seen.delete(keyOf(file));
				if (error instanceof FileChangedError) continue;
				if ((error as NodeJS.ErrnoException).code === undefined) throw error;
				this.#complain(file.name, `${file.name} cannot be read: ${errorMessage(error)}.`);
			}
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
		if (found.bytes <= HEAD_ALONE_BYTES)
			return this.#refuse(found, null, "it has no video in it. Its recorder was killed, or has not begun");
		if (maxBytes !== null && found.bytes > maxBytes)
			return this.#refuse(found, null, `it has ${found.bytes} bytes, more than TAPEDECK_WATCH_MAX_BYTES allows`);
		const file = await UnchangedFile.open(found);
		try {
			const sha256 = await file.sha256(this.#signal);
			if (sha256 !== null) await this.#upload(found, file, sha256);
		} finally {
			await file.close();
		}
	}

	async #upload(found: FoundFile, file: UnchangedFile, sha256: string): Promise<void> {
		const { connection, log } = this.#tools;
		const known = this.#sent.ofContent(sha256);
		// The same content under another name, or with another time.
		if (known?.state === "sent" || known?.state === "refused") return this.#sent.note(found, sha256, known);
		const task = {
			label: found.name,
			jobId: null,
			jobKey: null,
			source: file,
			...describe(found.name),
			uploadId: known?.uploadId ?? null,
			begun: (uploadId: string | null) => this.#sent.note(found, sha256, { state: "begun", uploadId }),
			confirmed: () => undefined,
		};
		try {
			if (!(await upload(task, connection, log, this.#signal))) return;
		} catch (error) {
			if (!(error instanceof UploadRefusedError)) throw error;
			return this.#refuse(found, sha256, error.message);
		}
		await this.#sent.note(found, sha256, { state: "sent" });
		log.info(`${found.name} is uploaded.`);
	}

	/** It is uploaded no more, unless it changes. */
	async #refuse(found: FoundFile, sha256: string | null, reason: string): Promise<void> {
		await this.#sent.note(found, sha256, { state: "refused" });
		this.#tools.log.warn(`${found.name} is not uploaded: ${reason}.`);
	}

	#complain(about: string, sentence: string): void {
		if (this.#complaints.get(about) === sentence) return;
		this.#complaints.set(about, sentence);
		this.#tools.log.warn(sentence);
	}
}

const keyOf = ({ path }: FoundFile): string => path.toString("latin1");

/** The name of a file's recording; the session of a grid is a label. */
function describe(file: string): { name: string; filetype: string; labels?: Record<string, string> } {
	const stem = file.slice(file.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
	const filetype = /\.webm$/i.test(file) ? "video/webm" : "video/mp4";
	const [, name, session] = OF_SESSION.exec(stem) ?? [];
	const named = sanitizeName(name || session || stem, MAX_NAME_LENGTH) || "Upload";
	return session === undefined ? { name: named, filetype } : { name: named, filetype, labels: { session } };
}
