/** Decides where the results of a run go. */
import { basename } from "node:path";
import type { FullConfig } from "playwright/types/testReporter";
import { beginningOf, placeOf, type TapedeckReporterOptions } from "./options.ts";
import { OwnRun } from "./own-run.ts";
import { type Run, sentence } from "./run.ts";
import { RunRecording, WithoutRunner } from "./run-recording.ts";

/**
 * Begins the recording of the display, and waits for its first frame; or else a test run, without waiting for anything.
 * @param isMerge whether the tests ran earlier, and their reports are merged. No display is recorded then.
 * @returns null, after a warning, when there is neither.
 */
export function beginRun(
	options: TapedeckReporterOptions,
	{ rootDir, shard, projects }: FullConfig,
	warn: (sentence: string) => void,
	isMerge = false,
): Run | null {
	const beginning = beginningOf(options, `Playwright: ${basename(rootDir)}`, process.env);
	const isHeaded = projects.some(({ use }) => use.headless === false);
	const place = isMerge ? "own" : placeOf(options, isHeaded, process.env);
	const isAuto = place === "auto";
	try {
		if (place !== "own") return RunRecording.begin({ ...beginning, isAuto }, shard?.current ?? null, warn);
	} catch (cause) {
		if (!(isAuto && cause instanceof WithoutRunner)) {
			warn(`${sentence(cause)} The tests run without a recording.`);
			return null;
		}
	}
	try {
		return new OwnRun(beginning, shard, warn, isMerge);
	} catch (cause) {
		warn(`${sentence(cause)} The results of this run are not kept.`);
		return null;
	}
}
