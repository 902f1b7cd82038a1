/** The header that makes a recording play at once, made from its file alone, against reading that file. */
import { open, readFile } from "node:fs/promises";
import { Mp4Index } from "#lib/media/mp4-index.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { median, p99Under, type Results } from "./figures.ts";
import { QUICK, samples } from "./samples.ts";

const BUILDS = samples(100);
const VIDEO_MINUTES = QUICK ? 1 : 10;
const PROMISED_MS = 100;

export const figures = {
	build: {
		what: `index a recording of ${VIDEO_MINUTES} minutes and build its header`,
		promise: `p99 < ${PROMISED_MS} ms`,
	},
};

export async function run(): Promise<Results<typeof figures>> {
	try {
		const path = await makeVideo("recorder.mp4", VIDEO_MINUTES * 60);
		const builds: number[] = [];
		const reads: number[] = [];
		for (let index = 0; index < BUILDS; index += 1) {
			reads.push(await tookMs(() => readFile(path)));
			builds.push(await tookMs(() => buildHeader(path)));
		}
		const against = `${(median(builds) / median(reads)).toFixed(2)} × reading its file`;
		return { build: { ...p99Under(PROMISED_MS, builds), against } };
	} finally {
		await removeTestFolder();
	}
}

async function buildHeader(path: string): Promise<void> {
	const file = await open(path);
	try {
		const index = new Mp4Index();
		await index.update(file, (await file.stat()).size);
		if (Math.round(index.durationSeconds) !== VIDEO_MINUTES * 60)
			throw new Error(`the index holds ${index.durationSeconds} s`);
		index.header();
	} finally {
		await file.close();
	}
}

async function tookMs(work: () => Promise<unknown>): Promise<number> {
	const startedAt = performance.now();
	await work();
	return performance.now() - startedAt;
}
