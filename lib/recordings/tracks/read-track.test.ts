import { deflateSync } from "node:zlib";
import { readTrackQuerySchema } from "@tapedeck/contract/track.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestRecordings, type TestRecordings } from "#test/recordings.ts";
import { findLines } from "./find-lines.ts";
import { writeLine } from "./read-line.ts";
import { readTrack } from "./read-track.ts";

let t: TestRecordings;
beforeEach(async () => {
	t = await openTestRecordings();
});
afterEach(() => t.close());

const LINES = 400;
const lineAt = (at: number) => ({ at, text: `line ${at} ${"x".repeat(120)}`, level: null, data: null });

/** A track with blocks of these times. */
async function addTrack(blocks: readonly (readonly number[])[]): Promise<number> {
	const jobId = await t.addJob("completed");
	const { id: trackId } = await t.db
		.insertInto("track")
		.values({ organizationId: 1, jobId, name: "log", lastLineHash: null, firstAt: null, lastAt: null, createdAt: 1 })
		.returning("id")
		.executeTakeFirstOrThrow();
	let firstLine = 1;
	for (const [number, times] of blocks.entries()) {
		const content = deflateSync(times.map((at) => writeLine(lineAt(at))).join(""), { level: 1 });
		const row = { trackId, number, firstLine, bytes: 1, maxLevel: -1, content };
		await t.db
			.insertInto("trackBlock")
			.values({ ...row, minAt: Math.min(...times), maxAt: Math.max(...times) })
			.execute();
		firstLine += times.length;
	}
	return jobId;
}

const read = async (jobId: number, query: Record<string, string>) =>
	readTrack(t.as("key"), jobId, "log", readTrackQuerySchema.parse(query));
const lineNumbers = ({ data }: { data: { line: number }[] }) => data.map(({ line }) => line);

test("pages have the lines of all blocks by time, in both orders, also where blocks overlap", async () => {
	const times = Array.from({ length: 40 }, (_, block) => [100 + block, 10 * block, 200, 500 - block]);
	const jobId = await addTrack(times);
	const expected = times
		.flat()
		.map((at, index) => ({ at, line: index + 1 }))
		.sort((a, b) => a.at - b.at || a.line - b.line)
		.map(({ line }) => line);
	for (const order of ["asc", "desc"] as const) {
		const all: number[] = [];
		let cursor: string | null = null;
		do {
			const page: Awaited<ReturnType<typeof read>> = await read(jobId, {
				...{ limit: "7", order },
				...(cursor === null ? {} : { cursor }),
			});
			all.push(...lineNumbers(page));
			cursor = page.nextCursor;
		} while (cursor !== null);
		expect(all).toEqual(order === "asc" ? expected : expected.toReversed());
	}
	expect(lineNumbers(await read(jobId, { q: "LINE 499 " }))).toEqual([8]);
});

test("a search through a large track takes a small part of its time on the main thread", async () => {
	const blocks = Array.from({ length: 150 }, (_, block) =>
		Array.from({ length: LINES }, (_, index) => block * LINES + index + 1),
	);
	const jobId = await addTrack(blocks);
	const stored = await t.db.selectFrom("trackBlock").select(["firstLine", "content"]).execute();
	// Starts the thread.
	await read(jobId, { limit: "1" });
	// The least of several: the first ones also compile what they call, and any may collect garbage of earlier tests.
	const cpuOf = async (work: () => unknown) => {
		let least = Number.POSITIVE_INFINITY;
		for (let run = 0; run < 5; run += 1) {
			const before = process.threadCpuUsage();
			await work();
			const { user, system } = process.threadCpuUsage(before);
			least = Math.min(least, user + system);
		}
		return least;
	};
	const here = await cpuOf(() =>
		findLines(
			{
				...{ earliest: 0, latest: Number.POSITIVE_INFINITY, leastLevel: -1, text: "nowhere" },
				...{ sign: 1, after: null, before: null, limit: 201 },
			},
			stored,
		),
	);
	let found = {};
	const search = await cpuOf(async () => {
		found = await read(jobId, { q: "nowhere" });
	});
	expect(found).toEqual({ data: [], nextCursor: null });
	expect(search / here).toBeLessThan(0.25);
});

test("a caller's searches leave places for those of others, and the page of a job is read meanwhile", async () => {
	const jobId = await addTrack([[1, 2, 3]]);
	const gate = Promise.withResolvers<void>();
	const reader = t.as("key").trackReader;
	const held = [1, 2].map(() => reader.take(t.as("key"), () => gate.promise));
	const own = read(jobId, {});
	const theirs = await readTrack(t.as("owner"), jobId, "log", readTrackQuerySchema.parse({}));
	expect(lineNumbers(theirs)).toEqual([1, 2, 3]);
	gate.resolve();
	await Promise.all(held);
	expect(lineNumbers(await own)).toEqual([1, 2, 3]);
});
