/** A virtual display: an Xvfb on a number that is free, for this user alone. It ends with the process that started it. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { type NewDisplay, SIZE_NOTATION, sizeIn } from "@tapedeck/contract/new-display.ts";
import { errorMessage, messageOf } from "../base/fault.ts";
import { plainLine } from "../base/terminal.ts";
import type { DisplayFault } from "./allowed-displays.ts";
import { openDisplay, xauthority } from "./x11-setup.ts";

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 3_000;
/** The shell's status. */
const NOT_FOUND = 127;
const INSTALL_XVFB = "install it, for example with: apt-get install xvfb";
const TRY_AGAIN = "check the machine's memory and /tmp/.X11-unix, then try again";

/**
 * Starts Xvfb with its arguments, and a guard beside it that reads descriptor 4: when that is closed and no word has come,
 * the process that started it was killed. The recording gets time to end before its display does. The first argument is
 * the folder of its X authority.
 */
const GUARDED_XVFB = `
started() { cut -d " " -f 22 "/proc/$$/stat" 2>/dev/null; }
at=$(started)
authority=$1
shift
(
	trap "" INT HUP TERM
	read -r word <&4 && exit
	sleep 5
	[ "$(started)" = "$at" ] && kill $$
	rm -rf "$authority"
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
 * Starts one. Xvfb chooses the number, so that two processes never get the same.
 * @param env environment of Xvfb.
 * @throws NoDisplayError.
 */
export async function startVirtualDisplay(
	{ width, height, depth }: DisplayMode,
	env: NodeJS.ProcessEnv,
): Promise<VirtualDisplay> {
	// Xvfb reads it again now and then, and lets everyone in when it is gone.
	const folder = mkdtempSync(join(tmpdir(), "tapedeck-display-"));
	const authority = join(folder, "Xauthority");
	writeFileSync(authority, xauthority(randomBytes(16)), { mode: 0o600 });
	// In a process group of its own: Ctrl-C in a terminal must not end it before the command.
	const words = ["-displayfd", "3", "-screen", "0", `${width}x${height}x${depth}`, "-nolisten", "tcp", "-noreset"];
	const xvfb = spawn("sh", ["-c", GUARDED_XVFB, "sh", folder, ...words, "-auth", authority], {
		stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
		detached: true,
		env,
	});
	const guard = xvfb.stdio[4] as Writable;
	guard.on("error", () => undefined);
	let errors = "";
	xvfb.stderr?.on("data", (chunk: Buffer) => {
		errors = (errors + chunk.toString()).slice(-500);
	});
	const ended = new Promise<void>((resolve) => {
		xvfb.once("exit", () => resolve());
		xvfb.once("error", () => resolve());
	}).then(() => {
		guard.end("done\n");
		rmSync(folder, { recursive: true, force: true });
	});
	const number = await new Promise<string>((resolve, reject) => {
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
			resolve(text.trim());
		});
		xvfb.once("error", ({ message }) => fail(`Xvfb could not be started (${message})`, TRY_AGAIN));
		xvfb.once("exit", (status, signal) => {
			if (status === NOT_FOUND) return fail("A virtual display needs Xvfb, which is not installed", INSTALL_XVFB);
			const why = errors.trim().split("\n").at(-1) || (signal ?? `status ${status}`);
			fail(`Xvfb ended at once (${plainLine(why)})`, TRY_AGAIN);
		});
	})
		.then(async (text) => {
			await allowThisUser(Number(text), authority);
			return text;
		})
		.catch(async (error) => {
			xvfb.kill("SIGKILL");
			await ended;
			throw error;
		});
	return {
		id: `:${number}`,
		width,
		height,
		ended,
		async stop() {
			xvfb.kill("SIGTERM");
			const timer = setTimeout(() => xvfb.kill("SIGKILL"), STOP_TIMEOUT_MS);
			await ended;
			clearTimeout(timer);
		},
	};
}

/**
 * Programs of other users find it locked. Those of this user need no cookie, nor does a runner that runs already, and
 * root is not kept out, which could read the cookie anyway.
 */
async function allowThisUser(number: number, authority: string): Promise<void> {
	const listener = { resized: () => undefined, closed: () => undefined };
	try {
		const connection = await openDisplay({ host: null, number, screen: 0 }, { xauthority: authority }, listener);
		await connection.allow(process.getuid?.() ?? 0, 0);
		connection.close();
	} catch (error) {
		throw new NoDisplayError(
			`Xvfb started, but refuses its user (${errorMessage(error).replace(/\.$/, "")})`,
			TRY_AGAIN,
		);
	}
}
