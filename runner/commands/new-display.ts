/** A virtual display for one command: an Xvfb on a number that is free, for this user alone. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { errorMessage } from "../base/fault.ts";
import { openDisplay, xauthority } from "../displays/x11-setup.ts";
import { CommandError, usageError } from "./command.ts";

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 3_000;
const LARGEST = 16_384;
/** The shell's status. */
const NOT_FOUND = 127;

/**
 * Starts Xvfb with its arguments, and a guard beside it that reads descriptor 4: when that is closed and no word has come,
 * `tapedeck run` was killed. The recording gets time to end before its display does. The first argument is the folder of
 * its X authority.
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

export interface NewDisplay {
	/** `:100` */
	id: string;
	/** Ends it; what still shows something on it loses its display. */
	stop(): Promise<void>;
}

/** Reads `1920x1080`. @throws CommandError. */
export function displaySize(text: string): { width: number; height: number } {
	const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(text) ?? [];
	const size = { width: Number(width), height: Number(height) };
	if (size.width >= 16 && size.height >= 16 && size.width <= LARGEST && size.height <= LARGEST) return size;
	throw usageError("--new-display: Use a size in pixels, such as 1920x1080.");
}

/** Starts it. Xvfb chooses the number, so that two commands never get the same. @throws CommandError. */
export async function startDisplay({ width, height }: { width: number; height: number }): Promise<NewDisplay> {
	// Xvfb reads it again now and then, and lets everyone in when it is gone.
	const folder = mkdtempSync(join(tmpdir(), "tapedeck-display-"));
	const authority = join(folder, "Xauthority");
	writeFileSync(authority, xauthority(randomBytes(16)), { mode: 0o600 });
	// In a process group of its own: Ctrl-C in a terminal must not end it before the command.
	const words = ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp", "-noreset"];
	const xvfb = spawn("sh", ["-c", GUARDED_XVFB, "sh", folder, ...words, "-auth", authority], {
		stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
		detached: true,
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
	});
	const number = await new Promise<string>((resolve, reject) => {
		const fail = (why: string) => reject(new CommandError("no_display", why));
		const timer = setTimeout(() => fail("Xvfb did not start within 15 seconds."), START_TIMEOUT_MS);
		let text = "";
		xvfb.stdio[3]?.on("data", (chunk: Buffer) => {
			text += chunk.toString();
			if (!text.includes("\n")) return;
			clearTimeout(timer);
			resolve(text.trim());
		});
		xvfb.once("error", ({ message }) => {
			clearTimeout(timer);
			fail(`Xvfb could not be started: ${message}.`);
		});
		xvfb.once("exit", (status) => {
			clearTimeout(timer);
			fail(
				status === NOT_FOUND
					? "--new-display needs Xvfb, which is not installed. Install it, for example with: apt-get install xvfb"
					: `Xvfb ended at once: ${errors.trim().split("\n").at(-1) ?? "no reason given"}`,
			);
		});
	})
		.then(async (text) => {
			await allowThisUser(Number(text), authority);
			return text;
		})
		.catch((error) => {
			guard.end("done\n");
			xvfb.kill("SIGKILL");
			rmSync(folder, { recursive: true });
			throw error;
		});
	return {
		id: `:${number}`,
		async stop() {
			guard.end("done\n");
			xvfb.kill("SIGTERM");
			const timer = setTimeout(() => xvfb.kill("SIGKILL"), STOP_TIMEOUT_MS);
			await ended;
			clearTimeout(timer);
			rmSync(folder, { recursive: true, force: true });
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
		throw new CommandError("no_display", `Xvfb started, but refuses its user: ${errorMessage(error)}`);
	}
}
