/** The runner's data directory: the runner's identity, and the lock by which one process at a time uses it. */
import { randomUUID } from "node:crypto";
import {
	accessSync,
	constants,
	mkdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { errorMessage, FatalError } from "../base/fault.ts";
import { ownProcess } from "../base/process-id.ts";

export interface DataDir {
	path: string;
	/** Generated once per data directory. */
	instanceId: string;
	/** Unlocks the directory; `leaveWatched` keeps the watchdog running for an ffmpeg that is still recording. */
	release(leaveWatched: boolean): void;
}

/** File that names the runner's process, for the watchdog: `<pid> <start ticks>`. */
export const RUNNER_FILE = "runner.pid";

/**
 * Locks the directory for this process, and creates it if it doesn't exist.
 * @throws FatalError when it can't be written or another process uses it.
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
		throw new FatalError({
			code: "data_directory_full",
			what: `The data directory ${path} can't be written (${errorMessage(error)})`,
			remedy: "free some space on its disk, or set TAPEDECK_DATA_DIR",
		});
	}
}

/**
 * Keeps every runner out of an existing directory.
 * @throws FatalError when it can't be written or a runner uses it.
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
	new FatalError({
		code: "data_directory_not_writable",
		what: `The data directory ${path} can't be written (${errorMessage(error)})`,
		remedy: "make it writable for the runner's user, or set TAPEDECK_DATA_DIR to another one",
	});

/**
 * Like `mkdir -p`. Node's `recursive` option never returns below a directory that refuses entries with ENOENT, such as
 * /proc: it retries the parent, which exists, forever.
 * @throws the first error except EEXIST.
 */
function makeDirectory(path: string): void {
	const parent = dirname(path);
	try {
		mkdirSync(path, { mode: 0o700 });
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "EEXIST") return;
		if (code !== "ENOENT" || parent === path) throw error;
		makeDirectory(parent);
		mkdirSync(path, { mode: 0o700 });
	}
}

/**
 * Locks with an abstract socket: the kernel releases it when the process ends, however it ends, so the lock is never
 * stale. It is named by the directory's device and inode, because containers on the host's network share these sockets
 * and may have different directories at the same path.
 */
async function lockOf(path: string): Promise<Server> {
	const { dev, ino } = statSync(path, { bigint: true });
	const server = createServer((socket) => socket.destroy());
	await new Promise<void>((resolve, reject) => {
		server.on("error", (error: NodeJS.ErrnoException) => reject(error.code === "EADDRINUSE" ? inUse(path) : error));
		server.listen(`\0tapedeck-runner-${dev}-${ino}`, resolve);
	});
	server.unref();
	return server;
}

const inUse = (path: string): FatalError =>
	new FatalError({
		code: "data_directory_in_use",
		what: `Another runner already uses the data directory ${path}`,
		remedy: "stop it, or give this runner its own with TAPEDECK_DATA_DIR",
	});

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
