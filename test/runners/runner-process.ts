/** A real runner process with its own folder, and its results: files, processes, videos. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { DeliveryRules } from "../../runner/upload/deliver.ts";
import { type Child, startChild } from "../processes/child.ts";
import { requireProgram } from "../processes/programs.ts";
import { TAPEDECK_PROGRAM } from "../processes/tapedeck-command.ts";
import { until } from "../wait.ts";

const WITH_RULES = fileURLToPath(new URL("runner-with-rules.ts", import.meta.url));

export interface RunnerSettings {
	url: string;
	env?: Record<string, string>;
	dataDir?: string;
	/** The tests' own DISPLAY is not passed on. */
	display?: string;
	/** Shorter times than usual. */
	deliveryRules?: DeliveryRules;
}

export const runnerEnv = (settings: RunnerSettings & { dataDir: string }): NodeJS.ProcessEnv => {
	const { DISPLAY: _display, XAUTHORITY: _authority, ...inherited } = process.env;
	return {
		...inherited,
		TAPEDECK_URL: settings.url,
		TAPEDECK_TOKEN: "the-token",
		TAPEDECK_RUNNER_NAME: "a test runner",
		TAPEDECK_DATA_DIR: settings.dataDir,
		...(settings.display === undefined ? {} : { DISPLAY: settings.display }),
		...settings.env,
	} as NodeJS.ProcessEnv;
};

/** Starts `tapedeck runner`. */
export function startRunner(settings: RunnerSettings & { dataDir: string }): Child {
	const { deliveryRules: rules } = settings;
	const args = rules === undefined ? [TAPEDECK_PROGRAM, "runner"] : [WITH_RULES, JSON.stringify(rules)];
	return startChild(process.execPath, args, { env: runnerEnv(settings) });
}

/** Makes a folder that outlives a test, until `removeFolder`. Tests whose folder is their own have `temporaryFolder`. */
export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "tapedeck-runner-"));
export const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** Names of the job folders in the spool. */
export const spooled = (dataDir: string): Promise<string[]> => readdir(join(dataDir, "jobs")).catch(() => []);

export interface Probe {
	frames: number;
	durationSeconds: number;
	width: number;
	height: number;
	/** The decoder's error messages; empty if there are none. */
	faults: string;
}

/** Decodes every frame of a video. */
export async function probe(video: Buffer): Promise<Probe> {
	const folder = await newFolder();
	const file = join(folder, "video.mp4");
	try {
		await writeFile(file, video);
		const { stdout, stderr } = await promisify(execFile)(requireProgram("ffprobe"), [
			...["-v", "error", "-count_frames", "-of", "json"],
			...["-show_entries", "stream=nb_read_frames,width,height:format=duration", file],
		]);
		const { streams, format } = JSON.parse(stdout);
		const [stream] = streams;
		return {
			frames: Number(stream.nb_read_frames),
			durationSeconds: Number(format.duration),
			width: stream.width,
			height: stream.height,
			faults: stderr.trim(),
		};
	} finally {
		await removeFolder(folder);
	}
}

/** Waits until no process has the text in its command line. @throws with their pids. */
export async function nothingLeft(text: string): Promise<void> {
	let left: number[] = [];
	const areGone = async () => {
		left = await processesWith(text);
		return left.length === 0;
	};
	await until(areGone, () => `processes ${left.join(", ")} are gone`);
}

/** Pids of processes whose command line contains the text. */
export async function processesWith(text: string): Promise<number[]> {
	const found: number[] = [];
	for (const name of await readdir("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		const line = await readFile(`/proc/${name}/cmdline`, "latin1").catch(() => "");
		if (line.includes(text) && Number(name) !== process.pid) found.push(Number(name));
	}
	return found;
}
