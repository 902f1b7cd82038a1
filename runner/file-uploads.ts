/**
 * Jobs that upload a file of this machine. Only files of one folder are uploaded, which the runner's operator names: whoever
 * creates jobs must not be able to read the rest of the machine.
 */
import { lstat, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { HEAD_BYTES, typeOfFile } from "@tapedeck/contract/file-types.ts";
import { errorMessage } from "./base/fault.ts";
import type { RunnerLog } from "./base/log.ts";
import type { Connection } from "./dashboard/connection.ts";
import { untilAccepted } from "./dashboard/until-accepted.ts";
import { labelOf, UnspooledJobs, type UnspooledOrder, type UnspooledSignals } from "./unspooled-jobs.ts";
import { removeUpload, UploadRefusedError, upload } from "./upload/uploader.ts";
import type { FoundFile } from "./watch-folder/scan-folder.ts";
import { FileChangedError, UnchangedFile, whyUnusable } from "./watch-folder/unchanged-file.ts";

interface FileOrder extends UnspooledOrder {
	path: string;
}

/** Why a file is not uploaded, as a sentence. */
class FileUnavailableError extends Error {
	override name = "FileUnavailableError";
}

const CHANGED = "The file changed while it was uploaded. Create the job again when it is complete.";

export class FileUploads extends UnspooledJobs<FileOrder> {
	readonly #folder: string | null;
	readonly #dataDir: string;

	/** @param folder that has all files which may be uploaded; null for none. */
	constructor(
		{ folder, dataDir }: { folder: string | null; dataDir: string },
		connection: Connection,
		log: RunnerLog,
		closed: AbortSignal,
	) {
		super(connection, log, closed);
		this.#folder = folder;
		this.#dataDir = join(dataDir, "file-uploads");
	}

	protected async run(order: FileOrder, { ended, signal }: UnspooledSignals): Promise<void> {
		this.log.info(`${labelOf(order)}: upload of ${order.path}.`);
		try {
			const found = await findFile(this.#folder, order.path);
			const file = await UnchangedFile.open(found);
			try {
				await this.#assertSame(order, found);
				if (!(await this.#upload(order, found, file, signal))) {
					if (ended.aborted) return;
					await this.#giveUp(order, ended);
					return await this.report(order, ended, { type: "cancelled" });
				}
			} finally {
				await file.close();
			}
		} catch (error) {
			const message = reasonOf(error, order.path);
			if (message === null) throw error;
			if (ended.aborted) return;
			this.log.warn(`${labelOf(order)} failed: ${message}`);
			await this.#giveUp(order, ended);
			return this.report(order, ended, { type: "failed", code: "file_unavailable", message });
		}
		const opened = { type: "recording", width: 0, height: 0 } as const;
		await this.report(order, ended, opened, { type: "stopped", stopReason: "file_sent" });
		await rm(this.#noteOf(order), { force: true });
	}

	async #upload({ id, key, name }: FileOrder, found: FoundFile, file: UnchangedFile, signal: AbortSignal) {
		const head = Buffer.alloc(Math.min(HEAD_BYTES, found.bytes));
		await file.read(0, head);
		const { kind, type: filetype } = typeOfFile(found.name, head);
		const task = {
			...{ label: `Job ${id}`, jobId: id, jobKey: key, source: file, name, kind, filetype },
			uploadId: null,
			begun: async () => undefined,
			confirmed: () => undefined,
		};
		return upload(task, this.connection, this.log, signal);
	}

	/** An upload that an earlier life of the runner began goes on with the same file only. */
	async #assertSame(order: FileOrder, { bytes, changedAt }: FoundFile): Promise<void> {
		const state = JSON.stringify({ bytes, changedAt });
		const before = await readFile(this.#noteOf(order), "utf8").catch(() => null);
		if (before !== null && before !== "" && before !== state) throw new FileUnavailableError(CHANGED);
		await mkdir(this.#dataDir, { recursive: true, mode: 0o700 });
		await writeFile(this.#noteOf(order), state, { mode: 0o600 });
	}

	/** Nothing is left of the upload. */
	async #giveUp(order: FileOrder, ended: AbortSignal): Promise<void> {
		await untilAccepted(this.connection, ended, () => removeUpload(this.connection, order, ended)).catch(
			() => undefined,
		);
		await rm(this.#noteOf(order), { force: true });
	}

	#noteOf({ key }: FileOrder): string {
		return join(this.#dataDir, key.replaceAll(/[^\w-]/g, "_"));
	}
}

/** @returns the sentence for the job; null for an error that is none of the file's. */
function reasonOf(error: unknown, path: string): string | null {
	if (error instanceof FileUnavailableError) return error.message;
	if (error instanceof FileChangedError) return CHANGED;
	if (error instanceof UploadRefusedError) return `The dashboard does not take ${path}: ${error.message}.`;
	const { code } = error as NodeJS.ErrnoException;
	return code === undefined ? null : `${path} cannot be read: ${errorMessage(error)}.`;
}

/** @throws FileUnavailableError; the errors of the file system. */
async function findFile(folder: string | null, path: string): Promise<FoundFile> {
	if (folder === null) {
		throw new FileUnavailableError(
			"This runner uploads no files. Set its TAPEDECK_UPLOAD_DIR to the folder whose files may be uploaded.",
		);
	}
	const inside = relative(folder, resolve(folder, path));
	if (inside === "" || inside.startsWith("..") || isAbsolute(inside))
		throw new FileUnavailableError(`${path} is not within ${folder}, the folder whose files this runner uploads.`);
	const real = join(await realpath(folder), inside);
	const stat = await lstat(real);
	if ((await realpath(real)) !== real || !stat.isFile())
		throw new FileUnavailableError(`${path} is not a regular file. Links, folders and devices are not uploaded.`);
	const name = inside.slice(inside.lastIndexOf("/") + 1);
	const found = { path: Buffer.from(real), name, bytes: stat.size, changedAt: stat.mtimeMs };
	const unusable = whyUnusable(found);
	if (unusable !== null) throw new FileUnavailableError(`${path} is not uploaded: ${unusable}.`);
	return found;
}
