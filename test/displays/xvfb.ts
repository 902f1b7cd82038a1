/** A real X server on a free display, optionally with a moving or still picture. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { FFPLAY_ENV } from "../../bin/setup/demo-display.mjs";
import { startChild } from "../processes/child.ts";
import { requireProgram } from "../processes/programs.ts";
import { until } from "../wait.ts";

export interface VirtualDisplay {
	/** The display's id in jobs: `:99`. */
	id: string;
	number: number;
	/** Shows a moving picture. */
	move(): Promise<void>;
	/** Shows a still picture. */
	showStill(): Promise<void>;
	/** Changes its resolution, to at most the initial one. */
	resize(width: number, height: number): Promise<void>;
	/** SIGSTOP and SIGCONT: meanwhile, it hangs. */
	pause(): void;
	resume(): void;
	/** Kills the X server, like a crash. */
	kill(): Promise<void>;
	stop(): Promise<void>;
}

export interface XvfbOptions {
	width?: number;
	height?: number;
	/** Bits of color per pixel; 24 by default. */
	depth?: number;
	/** Further arguments. */
	more?: string[];
	/** Listens on TCP 6000 + number as well. */
	tcp?: boolean;
	/** An Xauthority file with the cookie that clients need. */
	auth?: string;
	/** A fixed display number, to start a display again. */
	number?: number;
}

let taken = 0;
/**
 * A display number that no other test gets, for a display that dies: the next server takes the lowest free one. Numbers
 * from 50,000 on are used by tests of displays that do not exist.
 */
export const reservedNumber = (): number => 30_000 + (process.pid % 2_000) * 10 + (taken++ % 10);

/** @throws when Xvfb is missing or does not start. */
export async function startXvfb(options: XvfbOptions = {}): Promise<VirtualDisplay> {
	const { width = 640, height = 360, depth = 24, more = [], tcp = false, auth, number } = options;
	const server = startChild(
		requireProgram("Xvfb"),
		[
			...(number === undefined ? [] : [`:${number}`]),
			...["-displayfd", "1", "-screen", "0", `${width}x${height}x${depth}`, "-noreset", ...more],
			...(tcp ? ["-listen", "tcp"] : ["-nolisten", "tcp"]),
			...(auth === undefined ? [] : ["-auth", auth]),
		],
		{ stdio: ["ignore", "pipe", "ignore"] },
	);
	await server.says(/^\d+\n/m);
	const display = Number.parseInt(server.output(), 10);
	let picture: ReturnType<typeof startChild> | null = null;
	const show = async (source: string) => {
		picture = startChild(
			requireProgram("ffplay"),
			[
				...["-loglevel", "error", "-nostats", "-noborder", "-left", "0", "-top", "0"],
				...["-f", "lavfi", "-i", `${source}=size=${width}x${height}:rate=15`],
			],
			{ env: { ...process.env, DISPLAY: `:${display}`, ...FFPLAY_ENV }, stdio: "ignore" },
		);
		await until(() => isLit(`:${display}`), `a picture appears on display :${display}`);
	};
	return {
		id: `:${display}`,
		number: display,
		move: () => show("testsrc2"),
		showStill: () => show("smptebars"),
		async resize(wide, high) {
			const xrandr = (...args: string[]) =>
				promisify(execFile)(requireProgram("xrandr"), ["-display", `:${display}`, ...args]);
			const mode = `${wide}x${high}`;
			if (!(await xrandr()).stdout.includes(` ${mode} `)) {
				// The screen is virtual, so the timings only have to be distinct.
				const timings = [wide, wide + 8, wide + 16, wide + 24, high, high + 2, high + 4, high + 6].map(String);
				await xrandr("--newmode", mode, "25", ...timings);
				await xrandr("--addmode", "screen", mode);
			}
			await xrandr("--output", "screen", "--mode", mode, "--fb", mode);
		},
		pause: () => void server.process.kill("SIGSTOP"),
		resume: () => void server.process.kill("SIGCONT"),
		async kill() {
			server.process.kill("SIGKILL");
			await server.exited;
			await picture?.stop();
		},
		async stop() {
			await picture?.stop();
			await server.stop();
		},
	};
}

/** Whether its upper left corner, where the pointer never is, shows anything but black. */
async function isLit(display: string): Promise<boolean> {
	const grab = ["-f", "x11grab", "-video_size", "16x16", "-i", display, "-frames:v", "1"];
	const output = ["-vf", "scale=1:1:flags=area,format=gray", "-f", "rawvideo", "-"];
	const { stdout } = await promisify(execFile)(requireProgram("ffmpeg"), ["-v", "error", ...grab, ...output], {
		encoding: "buffer",
	});
	return (stdout[0] ?? 0) > 16;
}
