/** Five minutes of `npm run chaos:nodes`. */
import { afterAll, expect, test } from "vitest";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { readPieces } from "#test/videos/read-pieces.ts";
import { runNodeChaos } from "./node-chaos.ts";

const VIDEO_SECONDS = 6;

afterAll(removeTestFolder);

test.for([
	{ videos: "in a bucket", bucket: true, seconds: 240 },
	{ videos: "on disks", bucket: false, seconds: 60 },
])("dashboards, their database and networks break at random, with videos $videos: no job, no second of a recording and no change on a page is lost", {
	timeout: 600_000,
}, async ({ bucket, seconds }) => {
	const pieces = readPieces(await makeVideo("recorder.mp4", VIDEO_SECONDS));
	const lines: string[] = [];
	const log = (line: string) => lines.push(line);
	const report = await runNodeChaos({ seconds, seed: 7, bucket, log }, pieces);
	// Vitest shortens compared values.
	expect(report.problems, [...report.problems, ...lines].join("\n")).toEqual([]);
	// The number of jobs depends on other load of the machine.
	expect(report.jobs).toBeGreaterThan(5);
	expect(report.recordings.length).toBeGreaterThan(2);
	expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(4);
});
