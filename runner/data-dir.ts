/** The runner's data directory: who it is, and that only one process uses it at a time. */
import { randomUUID } from "node:crypto";
import {
	accessSync,
	constants,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { FatalError, wordsOf } from "./log.ts";
import { makeDirectory } from "./make-directory.ts";
import { ownProcess } from "./base/process-id.ts";

export interface DataDir {
	path: string;
	/** Made once per data directory. */
	instanceId: string;
	/** Gives the directory free; `leaveWatched` keeps the watchdog looking after an ffmpeg that still runs. */
	release(leaveWatched: boolean): void;
}

/** File that names the runner's process, for the watchdog: `<pid> <start ticks>`. */
export const RUNNER_FILE = "runner.pid";

/**
 * Takes the directory for this process.
 * @throws FatalError when it cannot be written or another process has it.
 */
export async function takeDataDir(path: string): Promise<DataDir> {
	try {
		makeDirectory(path);
	} catch (error) {
		throw notWritable(path, error);
	}
	const { real, lock } = await lockDataDir(path);
	const runnerFile = join(real, RUNNER_FILE);
	try {
		const own = ownProcess();
		writeWholeSync(runnerFile, `${own.pid} ${own.startTicks}\n`);
		return {
			path: real,
			instanceId: readInstanceId(join(real, "instance-id")),
			release: (leaveWatched) => {
				if (!leaveWatched) rmSync(runnerFile, { force: true });
				lock.close();
			},
		};
	} catch (error) {
		lock.close();
		throw new FatalError(
			`The data directory ${path} cannot be written (${wordsOf(error)}); make room on its disk, or set TAPEDECK_DATA_DIR.`,
		);
	}
}

/**
 * Keeps every runner out of a directory that is there.
 * @throws FatalError when it cannot be written or a runner has it.
 */
export async function lockDataDir(path: string): Promise<{ real: string; lock: Server }> {
	try {
		accessSync(path, constants.W_OK | constants.X_OK);
		const real = realpathSync(path);
		return { real, lock: await lockOf(real) };
	} catch (error) {
		throw error instanceof FatalError ? error : notWritable(path, error);
	}
}

const notWritable = (path: string, error: unknown): FatalError =>
	new FatalError(
		`The data directory ${path} cannot be written (${wordsOf(error)}); allow it, or set TAPEDECK_DATA_DIR to another one.`,
	);

/**
 * An abstract socket named after the directory: the kernel releases it at the very moment its process is gone,
 * however it went, so there are no stale locks. The name is the directory's device and inode: containers that share
 * the host's network share these sockets too, and each may have another directory at the same path.
 */
async function lockOf(path: string): Promise<Server> {
	const { dev, ino } = statSync(path, { bigint: true });
	const server = createServer((socket) => socket.destroy());
	await new Promise<void>((resolve, reject) => {
		server.on("error", (error: NodeJS.ErrnoException) => {
			const taken = error.code === "EADDRINUSE";
			reject(
				taken
					? new FatalError(
							`Another runner already uses the data directory ${path}; stop it, or give this one its own with TAPEDECK_DATA_DIR.`,
						)
					: error,
			);
		});
		server.listen(`\0tapedeck-runner-${dev}-${ino}`, resolve);
	});
	server.unref();
	return server;
}

function readInstanceId(file: string): string {
	try {
		const id = readFileSync(file, "utf8").trim();
		if (/^[\w-]{8,100}$/.test(id)) return id;
	} catch {
		// The first start.
	}
	const id = randomUUID();
	writeWholeSync(file, `${id}\n`);
	return id;
}

function writeWholeSync(path: string, text: string): void {
	writeFileSync(`${path}.new`, text, { mode: 0o600 });
	renameSync(`${path}.new`, path);
}
