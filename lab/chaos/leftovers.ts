/** Finds leftovers after the last job: in running runners, and after everything has stopped. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { capturesOf, deletedFilesOf, describeJob, processesIn, zombiesOf } from "./captures.ts";
import type { World } from "./world.ts";

/** Confirmed files are deleted a moment later. */
const SETTLE_MS = 15_000;
const GONE_MS = 10_000;
const AGAIN_MS = 250;

/** Files that a runner's data directory holds while it runs. */
const RUNNER_FILES = ["instance-id", "runner.pid", "watchdog.pid", "control.sock", "jobs"];
/** The names of files that are half written. */
const TEMPORARY = /\.(new|tmp|temp|part)$|^\.nfs|~$/;

/** @returns one sentence each. */
export function leftInRunners(world: World): string[] {
	return world.runners.flatMap(({ program, dataDir }) => {
		const { pid, name } = program;
		if (pid === null) return [`${name} does not run`];
		const spool = filesIn(join(dataDir, "jobs"));
		const strange = readdirSync(dataDir).filter((file) => !RUNNER_FILES.includes(file));
		return [
			...capturesOf(dataDir).map(
				(capture) => `${name}: ffmpeg ${capture.pid} of ${describeJob(capture.job)} still runs`,
			),
			...spool.map((file) => `${name}: the spool holds ${file}`),
			...strange.map((file) => `${name}: its data directory holds ${file}`),
			...zombiesOf(pid).map((zombie) => `${name}: process ${zombie} is a zombie`),
			...deletedFilesOf(pid).map((file) => `${name}: holds ${file} open`),
		];
	});
}

/** @returns one sentence each. */
export function leftInDashboard({ dashboard, dashboardDir }: World): string[] {
	const { pid } = dashboard;
	if (pid === null) return ["the dashboard does not run"];
	return [
		...filesIn(dashboardDir)
			.filter((file) => TEMPORARY.test(file))
			.map((file) => `the dashboard's data directory holds ${file}`),
		...deletedFilesOf(pid).map((file) => `the dashboard holds ${file} open`),
	];
}

/** Polls until nothing is left or the time is up. */
export async function settled(find: () => string[], withinMs = SETTLE_MS): Promise<string[]> {
	const deadline = performance.now() + withinMs;
	for (;;) {
		const left = find();
		if (left.length === 0 || performance.now() > deadline) return left;
		await sleep(AGAIN_MS);
	}
}

/** Runs after everything was requested to end. @returns one sentence for each process that still runs. */
export const leftRunning = (evidence: string): Promise<string[]> =>
	settled(() => processesIn(evidence).map(({ pid, command }) => `process ${pid} still runs: ${command}`), GONE_MS);

function filesIn(folder: string): string[] {
	try {
		return readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => !entry.isDirectory())
			.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
	} catch {
		return [];
	}
}
