/**
 * The output of a recorded command, passed on byte for byte and read on the way. A stream that is a terminal stays the
 * command's own: commands write to it otherwise than to a pipe, and colours would be lost.
 */
import { execFile, spawn } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { pause } from "../base/wait.ts";
import type { OutputStream } from "./command-log.ts";

/** A command that has ended counts as silent after this time without output, while a process that it started still runs. */
const QUIET_MS = 200;

const run = promisify(execFile);
const TARGETS = { stdout: process.stdout, stderr: process.stderr } as const;

/** Interval between checks of a file for new output. */
const FOLLOWED_EVERY_MS = 200;

export class CommandOutput {
	readonly #pipes: Pipe[];
	readonly #files: FollowedFile[];

	private constructor(pipes: Pipe[], files: FollowedFile[] = []) {
		this.#pipes = pipes;
		this.#files = files;
	}

	/**
	 * @param seen called with what passes.
	 * @param remark called with a sentence about a file that cannot be followed.
	 * @returns the output; streams that cannot be read on the way are the command's own. Files are followed.
	 */
	static async open(
		seen: (stream: OutputStream, chunk: Buffer) => void,
		remark: (sentence: string) => void,
	): Promise<CommandOutput> {
		const files = followedFiles(seen, remark);
		const streams = (["stdout", "stderr"] as const).filter((stream) => isPipe(TARGETS[stream].fd));
		const isOne = streams.length === 2 && isSameFile(process.stdout.fd, process.stderr.fd);
		const pipes: Pipe[] = [];
		const folder = await mkdtemp(join(tmpdir(), "tapedeck-run-")).catch(() => null);
		if (folder === null) return new CommandOutput([], files);
		try {
			for (const stream of isOne ? (["stdout"] as const) : streams) {
				// Not one of Node's own, which are sockets: nothing can open /dev/stdout then.
				const path = join(folder, stream);
				await run("mkfifo", ["-m", "600", path]);
				pipes.push(new Pipe(path, stream, isOne, (chunk) => seen(stream, chunk)));
			}
		} catch {
			// The others go on without.
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
		return new CommandOutput(pipes, files);
	}

	/** The command's standard streams, for `spawn`. */
	get stdio(): ("inherit" | number)[] {
		const of = (stream: OutputStream) => this.#pipes.find((pipe) => pipe.carries(stream))?.writer ?? "inherit";
		return ["inherit", of("stdout"), of("stderr")];
	}

	/** The command has its ends of the pipes now, or could not be started. */
	begun(): void {
		for (const pipe of this.#pipes) closeSync(pipe.writer);
	}

	/** Resolves when all that the ended command has written is passed on. What it left running writes on without us. */
	async finished(): Promise<void> {
		await Promise.all(this.#pipes.map((pipe) => pipe.finished()));
		for (const file of this.#files) file.close();
	}
}

/** The streams that go to files, such as those of Jenkins. Two that go to one file are followed once. */
function followedFiles(
	seen: (stream: OutputStream, chunk: Buffer) => void,
	remark: (sentence: string) => void,
): FollowedFile[] {
	const streams = (["stdout", "stderr"] as const).filter((stream) => isFile(TARGETS[stream].fd));
	const isOne = streams.length === 2 && isSameFile(process.stdout.fd, process.stderr.fd);
	return (isOne ? (["stdout"] as const) : streams).flatMap((stream) => {
		try {
			return [new FollowedFile(TARGETS[stream].fd, (chunk) => seen(stream, chunk))];
		} catch {
			remark(
				`The ${isOne ? "output" : stream} of the command goes to a file that cannot be read, and is not recorded.`,
			);
			return [];
		}
	});
}

/** A file to which the command writes: what is added to it is read a moment later. */
class FollowedFile {
	readonly #file: number;
	readonly #seen: (chunk: Buffer) => void;
	readonly #timer: NodeJS.Timeout;
	readonly #buffer = Buffer.alloc(64 * 1024);
	#position: number;

	/** @param fd of the stream. @throws if it cannot be opened for reading. */
	constructor(fd: number, seen: (chunk: Buffer) => void) {
		this.#file = openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY);
		this.#position = fstatSync(this.#file).size;
		this.#seen = seen;
		this.#timer = setInterval(() => this.#read(), FOLLOWED_EVERY_MS);
	}

	/** Reads what is left. */
	close(): void {
		clearInterval(this.#timer);
		this.#read();
		closeSync(this.#file);
	}

	#read(): void {
		try {
			const { size } = fstatSync(this.#file);
			// The command, or another program, has emptied it.
			if (size < this.#position) this.#position = 0;
			while (this.#position < size) {
				const bytes = readSync(this.#file, this.#buffer, 0, this.#buffer.length, this.#position);
				if (bytes === 0) return;
				this.#position += bytes;
				this.#seen(this.#buffer.subarray(0, bytes));
			}
		} catch {
			// The file system is gone: the command is told, not we.
		}
	}
}

class Pipe {
	readonly writer: number;
	readonly #reader: number;
	readonly #stream: OutputStream;
	readonly #isBoth: boolean;
	readonly #socket: Socket;
	#grewAt = performance.now();

	/** @param path of a FIFO. @param isBoth whether it carries both streams, in their order. */
	constructor(path: string, stream: OutputStream, isBoth: boolean, seen: (chunk: Buffer) => void) {
		this.#stream = stream;
		this.#isBoth = isBoth;
		this.#reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		this.writer = openSync(path, constants.O_WRONLY);
		this.#socket = new Socket({ fd: this.#reader, readable: true, writable: false });
		const target = TARGETS[stream];
		this.#socket.on("data", (chunk: Buffer) => {
			this.#grewAt = performance.now();
			if (!target.write(chunk)) {
				this.#socket.pause();
				target.once("drain", () => this.#socket.resume());
			}
			seen(chunk);
		});
		this.#socket.on("error", () => undefined);
		// The reader has closed its end: the command finds out as it would without us.
		target.on("error", () => this.#socket.destroy());
	}

	carries(stream: OutputStream): boolean {
		return this.#isBoth || stream === this.#stream;
	}

	async finished(): Promise<void> {
		this.#grewAt = performance.now();
		while (!this.#socket.closed && performance.now() - this.#grewAt < QUIET_MS) await pause(10);
		if (!this.#socket.closed) this.#handOver();
	}

	/** Lets `cat` pass on what programs write that the command has left running. */
	#handOver(): void {
		this.#socket.removeAllListeners("data").pause();
		const rest = this.#socket.read() as Buffer | null;
		if (rest !== null) TARGETS[this.#stream].write(rest);
		const path = `/proc/self/fd/${this.#reader}`;
		// Opening a pipe for reading waits for a writer, so we open one first.
		const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
		const reader = openSync(path, constants.O_RDONLY);
		const target = this.#stream === "stdout" ? 1 : 2;
		const cat = spawn("cat", [], { stdio: [reader, target, "ignore"], detached: true });
		cat.on("error", () => undefined).unref();
		closeSync(reader);
		closeSync(writer);
		this.#socket.destroy();
	}
}

function isPipe(fd: number): boolean {
	try {
		const stats = fstatSync(fd);
		return stats.isFIFO() || stats.isSocket();
	} catch {
		return false;
	}
}

function isFile(fd: number): boolean {
	try {
		return fstatSync(fd).isFile();
	} catch {
		return false;
	}
}

function isSameFile(a: number, b: number): boolean {
	const [one, other] = [fstatSync(a), fstatSync(b)];
	return one.dev === other.dev && one.ino === other.ino;
}
