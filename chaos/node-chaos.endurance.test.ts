/** The short form of `npm run chaos:nodes`. */
import { afterAll, expect, test } from "vitest";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { readPieces } from "#test/videos/read-pieces.ts";
import { runNodeChaos } from "./node-chaos.ts";

const VIDEO_SECONDS = 6;
const SECONDS = 60;

afterAll(removeTestFolder);

test("dashboards, their database and networks break at random: no job, no second of a recording and no change on a page is lost", {
	timeout: 300_000,
}, async () => {
	const pieces = readPieces(await makeVideo("recorder.mp4", VIDEO_SECONDS));
	const lines: string[] = [];
	const log = (line: string) => lines.push(line);
	const report = await runNodeChaos({ seconds: SECONDS, seed: 7, bucket: false, log }, pieces);
	expect(report.wrongs, lines.join("\n")).toEqual([]);
	// How many fit depends on what else the machine does.
	expect(report.jobs).toBeGreaterThan(5);
	expect(report.recordings.length).toBeGreaterThan(2);
	expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(4);
});
