/** Can the data directory take recordings? */
import { access, constants, rm, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Finding, failure, ok, warning } from "./finding.ts";

/** Of a moving picture of 1280x720; a still one takes a tenth. */
const BYTES_A_MINUTE = 5_000_000;
const TOO_LITTLE_BYTES = 500_000_000;
const LITTLE_BYTES = 5_000_000_000;

/** Writes a small file there, when the directory is there, and takes it away again. */
export async function checkDisk(dataDir: string): Promise<Finding> {
	const place = await nearest(dataDir);
	try {
		if (place === dataDir) await tryToWrite(dataDir);
		else await access(place, constants.W_OK | constants.X_OK);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOSPC" || code === "EDQUOT")
			return tooLittle(dataDir, `There is no room left in ${dataDir} (${code})`);
		const message = `The data directory ${dataDir} cannot be written (${code})`;
		return failure("disk", message, "allow it to the runner's user, or set TAPEDECK_DATA_DIR to another one");
	}
	const disk = await statfs(place);
	if (disk.files > 0 && disk.ffree === 0) return tooLittle(dataDir, `The disk of ${dataDir} takes no more files`);
	return judge(dataDir, disk.bavail * disk.bsize);
}

function judge(dataDir: string, bytes: number): Finding {
	const hours = bytes / BYTES_A_MINUTE / 60;
	const room = bytes < 1e9 ? `${Math.floor(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
	const enough = `${hours < 2 ? `${Math.floor(hours * 60)} minutes` : `${Math.floor(hours)} hours`} of one display`;
	const message = `${room} are free for ${dataDir}, enough for about ${enough}`;
	if (bytes < TOO_LITTLE_BYTES) return tooLittle(dataDir, message);
	if (bytes > LITTLE_BYTES) return ok("disk", message);
	return warning("disk", message, "make room: without the dashboard, recordings are kept there until it is back");
}

const tooLittle = (dataDir: string, message: string): Finding =>
	failure("disk", message, `make room on the disk of ${dataDir}, or set TAPEDECK_DATA_DIR to a folder on another one`);

/** The directory, or that above it which is there. */
async function nearest(path: string): Promise<string> {
	const above = dirname(path);
	const there = await access(path).then(
		() => true,
		(error: NodeJS.ErrnoException) => error.code !== "ENOENT",
	);
	return there || above === path ? path : nearest(above);
}

async function tryToWrite(folder: string): Promise<void> {
	const file = join(folder, `.doctor-${process.pid}`);
	try {
		await writeFile(file, "Written by tapedeck doctor.\n", { mode: 0o600, flush: true });
	} finally {
		await rm(file, { force: true });
	}
}
