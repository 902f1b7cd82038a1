/** A virtual display for one command: an Xvfb on a number that is free. */
import { spawn } from "node:child_process";
import { CommandError, usageError } from "./command.ts";

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 3_000;
const LARGEST = 16_384;

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
	// In a process group of its own: Ctrl-C in a terminal must not end it before the command.
	const xvfb = spawn(
		"Xvfb",
		["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp", "-noreset"],
		{ stdio: ["ignore", "ignore", "pipe", "pipe"], detached: true },
	);
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
		xvfb.once("error", ({ code, message }: NodeJS.ErrnoException) => {
			clearTimeout(timer);
			fail(
				code === "ENOENT"
					? "--new-display needs Xvfb, which is not installed. Install it, for example with: apt-get install xvfb"
					: `Xvfb could not be started: ${message}.`,
			);
		});
		xvfb.once("exit", () => {
			clearTimeout(timer);
			fail(`Xvfb ended at once: ${errors.trim().split("\n").at(-1) ?? "no reason given"}`);
		});
	}).catch((error) => {
		xvfb.kill("SIGKILL");
		throw error;
	});
	return {
		id: `:${number}`,
		async stop() {
			xvfb.kill("SIGTERM");
			const timer = setTimeout(() => xvfb.kill("SIGKILL"), STOP_TIMEOUT_MS);
			await ended;
			clearTimeout(timer);
		},
	};
}
