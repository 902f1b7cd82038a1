/** A virtual display: an Xvfb on a number that is free, for this user alone. It ends with the process that started it. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { type NewDisplay, SIZE_NOTATION, sizeIn } from "@tapedeck/contract/new-display.ts";
import { errorMessage, messageOf } from "../base/fault.ts";
import { plainLine } from "../base/terminal.ts";
import { pause } from "../base/wait.ts";
import type { DisplayFault } from "./allowed-displays.ts";
import { openDisplay, xauthority } from "./x11-setup.ts";
import { showsNothing } from "./x11-windows.ts";

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 3_000;
/** Between two looks at the windows of a display. */
const LOOK_MS = 20;
/** The shell's status. */
const NOT_FOUND = 127;
/** Lower ones are those of desktops, and of displays that people number themselves. */
const FIRST_NUMBER = 100;
const NUMBERS = 10_000;
/** Message of Xvfb if another server listens at its number. */
const NUMBER_IN_USE = /Cannot establish any listening sockets/;
const INSTALL_XVFB = "install it, for example with: apt-get install xvfb";
const TRY_AGAIN = "check the machine's memory and /tmp/.X11-unix, then try again";

/**
 * Starts Xvfb with its arguments, and a guard beside it that reads descriptor 4: when that is closed and no word has come,
 * the process that started it was killed. The recording gets time to end before its display does. The first argument is
 * the folder of its X authority, the second one the lock of its number.
 */
const GUARDED_XVFB = `
started() { cut -d " " -f 22 "/proc/$$/stat" 2>/dev/null; }
at=$(started)
authority=$1
lock=$2
shift 2
(
	trap "" INT HUP TERM
	read -r word <&4 && exit
	sleep 5
	[ "$(started)" = "$at" ] && kill $$
	rm -rf "$authority" "$lock"
) 3>&- &
exec Xvfb "$@" 4<&-`;

export interface DisplayMode extends NewDisplay {
	/** Bits per pixel that carry color. */
	depth: 16 | 24;
}

export const DISPLAY_MODE_NOTATION = `${SIZE_NOTATION} A depth may follow: 1920x1080x16 or 1920x1080x24.`;

/** @returns the mode in a text such as `1920x1080` or `1920x1080x16`; null if it is none. */
export function displayModeIn(text: string): DisplayMode | null {
	const [, sizeText = "", depth = "24"] = /^(\d+x\d+)(?:x(16|24))?$/.exec(text.trim()) ?? [];
	const size = sizeIn(sizeText);
	return size === null ? null : { ...size, depth: depth === "16" ? 16 : 24 };
}

export interface VirtualDisplay extends NewDisplay {
	/** `:100` */
	id: string;
	/** Resolves when its Xvfb has exited, for whatever reason. */
	ended: Promise<void>;
	/** Waits until it shows no window, for at most some milliseconds. @returns whether it shows none; true if it has ended. */
	emptyWithin(milliseconds: number): Promise<boolean>;
	/** Ends it; what still shows something on it loses its display. */
	stop(): Promise<void>;
}

/** A virtual display could not be started. */
export class NoDisplayError extends Error {
	override name = "NoDisplayError";
	readonly fault: DisplayFault;

	constructor(what: string, remedy: string) {
		const fault = { code: "display_unavailable", what, remedy } as const;
		super(messageOf(fault));
		this.fault = fault;
	}
}

/**
 * Starts one on the first number that nothing uses. Xvfb would choose a number without a look at its lock, and would take the
 * socket of a server away that runs in another container.
 * @param env environment of Xvfb.
 * @throws NoDisplayError.
 */
export async function startVirtualDisplay(mode: DisplayMode, env: NodeJS.ProcessEnv): Promise<VirtualDisplay> {
	for (let number = FIRST_NUMBER; number < FIRST_NUMBER + NUMBERS; number += 1) {
		if (!reserve(number)) continue;
		let display: VirtualDisplay | null = null;
		try {
			if (await isFree(number)) display = await startOn(number, mode, env);
		} finally {
			if (display === null) rmSync(lockOf(number), { force: true });
		}
		if (display !== null) return display;
	}
	throw new NoDisplayError(`All display numbers from ${FIRST_NUMBER} on are in use`, TRY_AGAIN);
}

/** The file with the pid of the server that has the number, as X servers agree on it. */
const lockOf = (number: number): string => `/tmp/.X${number}-lock`;

/** Takes the lock of a number, also from a server that was killed. @throws NoDisplayError. */
function reserve(number: number): boolean {
	const lock = lockOf(number);
	for (const isAgain of [false, true]) {
		try {
			writeFileSync(lock, pidLine(process.pid), { flag: "wx", mode: 0o444 });
			return true;
		} catch (error) {
			const { code, message } = error as NodeJS.ErrnoException;
			if (code !== "EEXIST") throw new NoDisplayError(`${lock} cannot be written (${message})`, TRY_AGAIN);
			if (isAgain || !isLeft(lock)) return false;
		}
	}
	return false;
}

const pidLine = (pid: number): string => `${String(pid).padStart(10)}\n`;

/** Removes the lock of a server that no longer runs. @returns whether it was one, and is gone. */
function isLeft(lock: string): boolean {
	try {
		const pid = Number(readFileSync(lock, "latin1"));
		if (!(pid > 0) || existsSync(`/proc/${pid}`)) return false;
		rmSync(lock);
		return true;
	} catch {
		// Another user's, or it has gone in this moment.
		return false;
	}
}

/** Whether no program listens at the socket of a display. A server that was killed has left its socket behind. */
function isFree(number: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ path: `/tmp/.X11-unix/X${number}` });
		socket.once("connect", () => {
			socket.destroy();
			resolve(false);
		});
		socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ENOENT" || code === "ECONNREFUSED"));
	});
}

/** @returns null if another server listens at the number, which has no lock. @throws NoDisplayError. */
async function startOn(
	number: number,
	{ width, height, depth }: DisplayMode,
	env: NodeJS.ProcessEnv,
): Promise<VirtualDisplay | null> {
	// Xvfb reads it again now and then, and lets everyone in when it is gone.
	const folder = mkdtempSync(join(tmpdir(), "tapedeck-display-"));
	const authority = join(folder, "Xauthority");
	writeFileSync(authority, xauthority(randomBytes(16)), { mode: 0o600 });
	// In a process group of its own: Ctrl-C in a terminal must not end it before the command.
	const lock = lockOf(number);
	const screen = `${width}x${height}x${depth}`;
	const words = [`:${number}`, "-displayfd", "3", "-screen", "0", screen, "-nolisten", "tcp", "-noreset"];
	const xvfb = spawn("sh", ["-c", GUARDED_XVFB, "sh", folder, lock, ...words, "-auth", authority], {
		stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
		detached: true,
		env,
	});
	const guard = xvfb.stdio[4] as Writable;
	guard.on("error", () => undefined);
	let errors = "";
	xvfb.stderr?.on("data", (chunk: Buffer) => {
		errors = (errors + chunk.toString()).slice(-2_000);
	});
	// The lock is its own.
	if (xvfb.pid !== undefined) writeLock(lock, xvfb.pid);
	const ended = new Promise<void>((resolve) => {
		xvfb.once("exit", () => resolve());
		xvfb.once("error", () => resolve());
	}).then(() => {
		guard.end("done\n");
		rmSync(folder, { recursive: true, force: true });
		rmSync(lock, { force: true });
	});
	let isInUse = false;
	const isReady = await new Promise<void>((resolve, reject) => {
		const fail = (what: string, remedy: string) => {
			clearTimeout(timer);
			reject(new NoDisplayError(what, remedy));
		};
		const timer = setTimeout(() => fail("Xvfb did not start within 15 seconds", TRY_AGAIN), START_TIMEOUT_MS);
		let text = "";
		xvfb.stdio[3]?.on("data", (chunk: Buffer) => {
			text += chunk.toString();
			if (!text.includes("\n")) return;
			clearTimeout(timer);
			resolve();
		});
		xvfb.once("error", ({ message }) => fail(`Xvfb could not be started (${message})`, TRY_AGAIN));
		xvfb.once("exit", (status, signal) => {
			if (status === NOT_FOUND) return fail("A virtual display needs Xvfb, which is not installed", INSTALL_XVFB);
			isInUse = NUMBER_IN_USE.test(errors);
			const why = reasonIn(errors) ?? signal ?? `status ${status}`;
			fail(`Xvfb ended at once (${plainLine(why)})`, TRY_AGAIN);
		});
	})
		.then(() => allowThisUser(number, authority))
		.then(
			() => true,
			async (error) => {
				xvfb.kill("SIGKILL");
				await ended;
				if (!isInUse) throw error;
				return false;
			},
		);
	if (!isReady) return null;
	return {
		id: `:${number}`,
		width,
		height,
		ended,
		emptyWithin: (milliseconds) => emptyWithin(number, authority, milliseconds),
		async stop() {
			xvfb.kill("SIGTERM");
			const timer = setTimeout(() => xvfb.kill("SIGKILL"), STOP_TIMEOUT_MS);
			await ended;
			clearTimeout(timer);
		},
	};
}

/** The last line of an X server that says anything: it also prints `(EE)` alone, and at both ends of others. */
function reasonIn(errors: string): string | undefined {
	const lines = errors.split("\n").map((line) => line.replaceAll("(EE)", "").trim());
	return lines.filter((line) => line !== "").at(-1);
}

async function emptyWithin(number: number, authority: string, milliseconds: number): Promise<boolean> {
	const deadline = performance.now() + milliseconds;
	const connection = await openDisplay(displayOf(number), { xauthority: authority }, IGNORES).catch(() => null);
	if (connection === null) return true;
	try {
		for (;;) {
			if (await showsNothing(connection)) return true;
			if (performance.now() >= deadline) return false;
			await pause(LOOK_MS);
		}
	} finally {
		connection.close();
	}
}

const displayOf = (number: number) => ({ host: null, number, screen: 0 });
const IGNORES = { resized: () => undefined, closed: () => undefined };

/** Names the server in the lock of this process. */
function writeLock(lock: string, pid: number): void {
	// In one step: a lock without a pid, or none, would look as if its server had been killed.
	const next = `${lock}.${process.pid}`;
	writeFileSync(next, pidLine(pid), { mode: 0o444 });
	renameSync(next, lock);
}

/**
 * Programs of other users find it locked. Those of this user need no cookie, nor does a runner that runs already, and
 * root is not kept out, which could read the cookie anyway.
 */
async function allowThisUser(number: number, authority: string): Promise<void> {
	try {
		const connection = await openDisplay(displayOf(number), { xauthority: authority }, IGNORES);
		await connection.allow(process.getuid?.() ?? 0, 0);
		connection.close();
	} catch (error) {
		throw new NoDisplayError(
			`Xvfb started, but refuses its user (${errorMessage(error).replace(/\.$/, "")})`,
			TRY_AGAIN,
		);
	}
}
