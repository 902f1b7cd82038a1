/**
 * Downloads a file to a place that never holds a part of it: into a file beside it, which is renamed when it is whole.
 * The name of that file contains the ETag, so that another try, also of a later command, continues where the last one ended.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { chunksOf } from "@tapedeck/client-source/chunks.ts";
import type { Tapedeck } from "@tapedeck/client-source/index.ts";
import { errorMessage } from "../../base/fault.ts";
import { Backoff, pause } from "../../base/wait.ts";
import { CommandError } from "../command.ts";
import { about, brokenConnection, isTemporary } from "./dashboard-client.ts";

/** A connection without data for this long counts as broken. */
const IDLE_MS = 30_000;
/** Maximum time that a download waits for an unreachable dashboard, such as during a restart. */
const AWAY_MS = 60_000;

interface Transfer {
	/** The API's path of the file. */
	path: string;
	/** Name of the resource for messages, such as `Recording 12`. */
	what: string;
	/** Reports how much is there. */
	onProgress(bytes: number, total: number): void;
	/** Reports that the connection broke. */
	onBreak(): void;
}

export interface Download extends Transfer {
	/** The path of the file that is written. */
	target: string;
}

interface Version {
	etag: string;
	total: number;
}

/** @returns the file's size. @throws CommandError or TapedeckError; what has arrived is kept for another try. */
export const download = (client: Tapedeck, job: Download): Promise<number> =>
	untilWhole(job, async ({ onAnswer, onBytes }) => {
		const version = await versionOf(client, job);
		onAnswer();
		return { isWhole: await continueFile(client, job, version, onBytes), total: version.total };
	});

/**
 * Writes a file to a stream, such as standard output. A broken connection is continued, as long as the file is the same.
 * @param write takes the next bytes. @throws what the stream's reader does.
 * @returns the file's size.
 */
export async function stream(
	client: Tapedeck,
	job: Transfer,
	write: (bytes: Uint8Array) => Promise<void>,
): Promise<number> {
	let version: Version | null = null;
	let at = 0;
	return untilWhole(job, async ({ onAnswer, onBytes }) => {
		const now = await versionOf(client, job);
		onAnswer();
		if (at > 0 && now.etag !== version?.etag)
			throw new CommandError("changed", `${job.what} has changed meanwhile; download it again.`);
		version = now;
		at = await receive(client, job, {
			...now,
			size: at,
			onBytes,
			put: async (bytes, position) => {
				// A server without ranges begins anew.
				const rest = bytes.subarray(Math.max(0, at - position));
				if (rest.byteLength > 0) await write(rest);
				at += rest.byteLength;
			},
		});
		return { isWhole: at === now.total, total: now.total };
	});
}

interface Heard {
	onAnswer(): void;
	onBytes(): void;
}

/** Tries again while the dashboard is away. @returns the size. */
async function untilWhole(
	job: Transfer,
	attempt: (heard: Heard) => Promise<{ isWhole: boolean; total: number }>,
): Promise<number> {
	const backoff = new Backoff();
	let lastByteAt: number | null = null;
	const onAnswer = () => {
		lastByteAt = performance.now();
	};
	const onBytes = () => {
		onAnswer();
		backoff.reset();
	};
	for (;;) {
		try {
			const { isWhole, total } = await attempt({ onAnswer, onBytes });
			if (isWhole) return total;
			throw brokenConnection(new Error("the connection broke"));
		} catch (error) {
			const isAway = lastByteAt === null || performance.now() - lastByteAt > AWAY_MS;
			if (isAway || !isTemporary(error)) throw error;
		}
		job.onBreak();
		await pause(backoff.nextMs());
	}
}

/** Compressed bytes could not be counted. */
const IDENTITY = { "accept-encoding": "identity" };

/** The file as it is now. A range of one byte, because HEAD would have no body that says what is wrong. */
async function versionOf(client: Tapedeck, { path, what }: Transfer): Promise<Version> {
	const answer = await about(what, client.open("GET", path, { headers: { ...IDENTITY, range: "bytes=0-0" } }));
	await answer.body?.cancel();
	const { headers } = answer;
	const etag = headers.get("etag");
	const range = /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
	const total = Number(range ?? headers.get("content-length") ?? Number.NaN);
	if (etag !== null && Number.isInteger(total)) return { etag, total };
	throw new CommandError("no_size", `The size of the video is unknown; check what is between here and ${client.url}.`);
}

/** @returns whether the file is whole, and at its place. */
async function continueFile(client: Tapedeck, job: Download, version: Version, onBytes: () => void): Promise<boolean> {
	const { target, onProgress } = job;
	const part = partOf(client, job, version.etag);
	// A link at this name is another user's: it could lead to any file of the user.
	const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
	const file = await open(part, flags, 0o666).catch((error) => {
		throw notWritten(target, error.code === "ELOOP" ? new Error(`${part} is a link, which is not followed`) : error);
	});
	try {
		let { size } = await file.stat();
		if (size > version.total) {
			// It is none of this video.
			await file.truncate(0);
			size = 0;
		}
		const put = (bytes: Uint8Array, at: number) =>
			writeAll(file, bytes, at).catch((error) => {
				throw notWritten(target, error);
			});
		onProgress(size, version.total);
		const end = size < version.total ? await receive(client, job, { ...version, size, onBytes, put }) : size;
		if (end !== version.total) return false;
		await file.datasync();
	} finally {
		await file.close();
	}
	await rename(part, target).catch(async (error) => {
		// Another command downloaded the same video to the same place, and was first.
		if (error.code === "ENOENT" && (await stat(target).catch(() => null))?.size === version.total) return;
		throw notWritten(target, error);
	});
	return true;
}

interface Rest {
	/** Number of bytes that are already stored. */
	size: number;
	onBytes(): void;
	put(bytes: Uint8Array, at: number): Promise<void>;
}

/** Writes at positions, so that two commands with the same file write the same bytes. @returns where it ended. */
async function receive(
	client: Tapedeck,
	{ path, what, onProgress }: Transfer,
	{ size, etag, total, onBytes, put }: Version & Rest,
): Promise<number> {
	const headers = { ...IDENTITY, range: `bytes=${size}-`, "if-range": etag };
	const response = await about(what, client.open("GET", path, { headers }));
	// A different ETag means that the file has changed: the next try begins anew, in a file of its own.
	if (response.headers.get("etag") !== etag) {
		await response.body?.cancel();
		return size;
	}
	let at = response.status === 206 ? size : 0;
	for await (const chunk of bytesOf(response)) {
		await put(chunk, at);
		at += chunk.byteLength;
		onBytes();
		onProgress(at, total);
	}
	return at;
}

/** The body's bytes. @throws TapedeckError when the connection breaks. */
async function* bytesOf(response: Response): AsyncGenerator<Uint8Array> {
	try {
		yield* chunksOf(response, IDLE_MS);
	} catch (error) {
		throw brokenConnection(error);
	}
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
	for (let written = 0; written < bytes.byteLength; ) {
		written += (await file.write(bytes, written, bytes.byteLength - written, position + written)).bytesWritten;
	}
}

/** The file beside the target that holds what has arrived of this version. */
function partOf({ url }: Tapedeck, { target, path }: Download, etag: string): string {
	const version = createHash("sha256").update(`${url}${path} ${etag}`).digest("hex").slice(0, 12);
	return join(dirname(target), `.${basename(target)}.${version}.part`);
}

function notWritten(target: string, error: NodeJS.ErrnoException): CommandError {
	const why = error.code === "ENOSPC" ? "the disk is full" : errorMessage(error);
	return new CommandError("not_written", `${target} can't be written: ${why}. Choose another place with --output.`);
}
