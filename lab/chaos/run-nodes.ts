/**
 * `npm run chaos:nodes -- [--minutes N] [--seed S] [--bucket] [--write]`: breaks dashboards, their database and
 * bucket at random, and checks that nothing is lost.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { describeRun } from "#lab/bench/machine.ts";
import { NODE_CHAOS, writeResults } from "#lab/bench/results.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { readPieces } from "#test/videos/read-pieces.ts";
import { runNodeChaos } from "./node-chaos.ts";
import { closingLineOfNodes } from "./report.ts";

const VIDEO_SECONDS = 10;
const MOST_SEED = 2 ** 31 - 1;

const { values } = parseArgs({
	options: {
		minutes: { type: "string", default: "5" },
		bucket: { type: "boolean", default: false },
		seed: { type: "string", default: String(randomInt(MOST_SEED)) },
		write: { type: "boolean", default: false },
	},
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0 && minutes <= 240) || !Number.isSafeInteger(seed)) {
	console.error("Send --minutes as a number up to 240, and --seed as a whole number.");
	process.exit(1);
}
const run = values.write ? describeRun() : null;
try {
	const pieces = readPieces(await makeVideo("recorder.mp4", VIDEO_SECONDS));
	const { bucket } = values;
	console.log(`seed ${seed}, ${minutes} minutes, videos ${bucket ? "in a bucket" : "on disks"}`);
	const beganAt = performance.now();
	const log = (line: string) =>
		console.log(`${((performance.now() - beganAt) / 1_000).toFixed(1).padStart(7)} ${line}`);
	const report = await runNodeChaos({ seconds: minutes * 60, seed, bucket, log }, pieces);
	const { recordings: _, ...rest } = report;
	console.log(JSON.stringify(rest, null, "\t"));
	const line = closingLineOfNodes(report, bucket);
	console.log(line);
	const holds = report.problems.length === 0;
	if (run !== null) await writeResults({ [NODE_CHAOS]: { measured: line, holds, run } });
	process.exitCode = holds ? 0 : 1;
} finally {
	await removeTestFolder();
}
