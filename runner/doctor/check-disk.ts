/** Checks that recordings can be written to the data directory. */
import { access, constants, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BYTES_PER_MINUTE, bufferSpaceFault } from "../capture/buffer-space.ts";
import { type Finding, failure, ok, warning } from "./finding.ts";

const MIN_FREE_BYTES = 500_000_000;
const LOW_FREE_BYTES = 5_000_000_000;

/** Writes a small file into the directory, if it exists, and deletes it again. */
export async function checkDisk(dataDir: string): Promise<Finding> {
	const folder = await nearestExisting(dataDir);
	try {
		if (folder === dataDir) await tryToWrite(dataDir);
		else await access(folder, constants.W_OK | constants.X_OK);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOSPC" || code === "EDQUOT") return diskFull(dataDir, `The disk of ${dataDir} is full (${code})`);
		const message = `The data directory ${dataDir} can't be written (${code})`;
		return failure("disk", message, "make it writable for the runner's user, or set TAPEDECK_DATA_DIR to another one");
	}
	const disk = await statfs(folder);
	if (disk.files > 0 && disk.ffree === 0)
		return diskFull(dataDir, `The disk of ${dataDir} has no inodes left for more files`);
	return freeSpace(dataDir, disk.bavail * disk.bsize);
}

/** Checks that a buffer of so many seconds fits on the disk of a data directory. */
export async function checkBuffer(dataDir: string, seconds: number): Promise<Finding> {
	const disk = await statfs(await nearestExisting(dataDir));
	const fault = bufferSpaceFault(disk.bavail * disk.bsize, seconds);
	return fault === null
		? ok("buffer", `The last ${seconds} s of each display fit on the disk (TAPEDECK_BUFFER)`)
		: failure("buffer", fault.what, fault.remedy);
}

function freeSpace(dataDir: string, bytes: number): Finding {
	const hours = bytes / BYTES_PER_MINUTE / 60;
	const free = bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
	const time = `${hours < 2 ? `${Math.floor(hours * 60)} minutes` : `${Math.floor(hours)} hours`} of one display`;
	const message = `${free} free for ${dataDir}, enough for about ${time}`;
	if (bytes < MIN_FREE_BYTES) return diskFull(dataDir, message);
	if (bytes > LOW_FREE_BYTES) return ok("disk", message);
	return warning("disk", message, "free some space: while the dashboard is unreachable, recordings are kept there");
}

const diskFull = (dataDir: string, message: string): Finding =>
	failure(
		"disk",
		message,
		`free some space on the disk of ${dataDir}, or set TAPEDECK_DATA_DIR to a folder on another one`,
	);

/** The directory, or its nearest parent that exists. */
async function nearestExisting(path: string): Promise<string> {
	const parent = dirname(path);
	const exists = await access(path).then(
		() => true,
		(error: NodeJS.ErrnoException) => error.code !== "ENOENT",
	);
	return exists || parent === path ? path : nearestExisting(parent);
}

async function tryToWrite(folder: string): Promise<void> {
	const file = join(folder, `.doctor-${process.pid}`);
	try {
		await writeFile(file, "Written by tapedeck doctor.\n", { mode: 0o600, flush: true });
	} finally {
		await rm(file, { force: true });
	}
}
