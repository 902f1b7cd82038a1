/**
 * The processes of tests learn of the displays of their workers by a variable that the reporter sets and they inherit.
 * The display of a worker is found by its parallel index, so that a worker that Playwright starts again after a failure keeps
 * it.
 */
import { VARIABLE as LINES } from "./browser-lines.ts";

const VARIABLE = "TAPEDECK_PLAYWRIGHT_DISPLAYS";

export interface WorkerDisplay {
	/** `:104` */
	id: string;
	width: number;
	height: number;
	/** The file to which its processes append what browsers log; undefined if they cannot. */
	lines: string | undefined;
}

/** In the process of the reporter. */
export function announceDisplays(displays: readonly WorkerDisplay[]): void {
	process.env[VARIABLE] = JSON.stringify(displays);
}

export function withdrawDisplays(): void {
	delete process.env[VARIABLE];
}

/** In the process of a test: the display of its worker; null if it has none. */
export function displayOfWorker(env: NodeJS.ProcessEnv): WorkerDisplay | null {
	const displays: WorkerDisplay[] = JSON.parse(env[VARIABLE] ?? "[]");
	return displays[Number(env.TEST_PARALLEL_INDEX)] ?? null;
}

/** The environment in which the process of a test finds where to append what browsers log. */
export function linesOfWorker(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const display = displayOfWorker(env);
	return display === null ? env : { ...env, [LINES]: display.lines };
}
