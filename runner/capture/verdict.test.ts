import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startXvfb, type VirtualDisplay } from "../../test/displays/xvfb.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { until } from "../../test/wait.ts";
import { SAMPLE_HEIGHT, SAMPLE_WIDTH } from "./ffmpeg.ts";
import { PictureVerdict, SampleReader } from "./verdict.ts";

const WEEK_SECONDS = 7 * 86_400;
/** Bytes that this process has read so far. */
const bytesRead = async () => Number(/rchar: (\d+)/.exec(await readFile("/proc/self/io", "utf8"))?.[1]);

const blank = (gray = 0) => Buffer.alloc(SAMPLE_WIDTH * SAMPLE_HEIGHT, gray);
const cell = (x: number, y: number) => y * SAMPLE_WIDTH + x;

function verdictOn(samples: Buffer[]) {
	const picture = new PictureVerdict({ width: 1_280, height: 720 });
	for (const sample of samples) picture.add(sample);
	return picture.verdict;
}

test("a single color for the whole length is black, whichever color it is and wherever the pointer moves", () => {
	expect(verdictOn([blank()])).toBe("black");
	const [left, right] = [blank(200), blank(200)];
	for (const at of [cell(3, 3), cell(4, 3), cell(3, 4), cell(4, 4)]) left[at] = 90;
	for (const at of [cell(20, 9), cell(21, 9)]) right[at] = 120;
	expect(verdictOn([left, right, blank(200)])).toBe("black");
});

test("a line of text on black and a changing color are not black", () => {
	const text = blank();
	for (let x = 2; x < 7; x++) text[cell(x, 2)] = 60;
	expect(verdictOn([text])).toBe("ok");
	expect(verdictOn([blank(0), blank(40)])).toBe("ok");
});

test("a picture that is still for five seconds is frozen; a blinking cursor makes it ok", () => {
	const page = Buffer.from(blank().map((_, index) => index % 251));
	expect(verdictOn(Array(4).fill(page))).toBe("ok");
	expect(verdictOn(Array(5).fill(page))).toBe("frozen");
	const blinking = Buffer.from(page);
	blinking[cell(5, 5)] = (page[cell(5, 5)] as number) + 3;
	expect(verdictOn([page, page, page, page, page, blinking])).toBe("ok");
});

test("ending a week-long black recording reads only the latest samples", async () => {
	const folder = await temporaryFolder("verdict");
	try {
		const [first, second] = [join(folder, "part-1.gray"), join(folder, "part-2.gray")];
		// A week of samples, all zeros, as a sparse file.
		await writeFile(first, "");
		await truncate(first, WEEK_SECONDS * blank().length);
		const sorts = vi.spyOn(Uint8Array.prototype, "sort");
		const reader = new SampleReader({ width: 1_280, height: 720 });
		await reader.read([first]);
		await appendFile(first, blank());
		await writeFile(second, Buffer.concat([blank(), blank().subarray(0, 100)]));
		const before = await bytesRead();
		await reader.read([first, second]);
		expect(reader.verdict).toBe("black");
		expect((await bytesRead()) - before).toBeLessThan(1 << 20);
		expect(sorts).not.toHaveBeenCalled();
		// Nothing was skipped: completing the last sample changes the verdict.
		await appendFile(second, blank(200).subarray(100));
		await reader.read([first, second]);
		expect(reader.verdict).toBe("ok");
	} finally {
		vi.restoreAllMocks();
	}
});

test("a part recorded again into the same file is read from its beginning", async () => {
	const folder = await temporaryFolder("verdict");
	const file = join(folder, "part-1.gray");
	await writeFile(file, Buffer.concat([blank(), blank(), blank()]));
	const reader = new SampleReader({ width: 1_280, height: 720 });
	await reader.read([file]);
	await writeFile(file, blank(120));
	await reader.read([file]);
	expect(reader.verdict).toBe("ok");
});

test("without samples there is no verdict", () => {
	expect(verdictOn([])).toBeNull();
});

describe("of a real recording", () => {
	let display: VirtualDisplay;
	beforeEach(async () => {
		display = await startXvfb();
	});
	// Registered before the scene's hooks, so that the scene stops its runner first.
	afterEach(() => display.stop());
	const scene = runnerScene({ display: null });
	beforeEach(async () => {
		await scene.start();
	});

	async function recordedVerdict(durationSeconds: number) {
		const job = scene.duration(durationSeconds, display.id);
		await scene.status(job, "completed");
		const stopped = job.reports.find((report) => report.type === "stopped");
		return { verdict: stopped?.verdict, posters: job.posters };
	}

	test("a recording of an empty display is reported as black whatever its size, although the pointer is visible", async () => {
		// Plus the scene's display of 640x360.
		const sizes: [number, number][] = [
			[320, 240],
			[800, 600],
			[1_366, 768],
			[1_920, 1_080],
		];
		const others = await Promise.all(sizes.map(([width, height]) => startXvfb({ width, height })));
		try {
			const jobs = [display, ...others].map(({ id }) => scene.duration(2, id));
			for (const job of jobs) await scene.status(job, "completed");
			const verdicts = jobs.map(({ reports }) => reports.find((report) => report.type === "stopped")?.verdict);
			expect(verdicts).toEqual(Array(5).fill("black"));
		} finally {
			for (const other of others) await other.stop();
		}
	});

	test("a recording of a picture that never changes is reported as frozen", async () => {
		await display.showStill();
		expect(await recordedVerdict(7)).toMatchObject({ verdict: "frozen" });
	});

	test("a recording of a moving picture is ok, and its stills arrive every two seconds", async () => {
		await display.move();
		const { verdict, posters } = await recordedVerdict(7);
		expect(verdict).toBe("ok");
		// Each still covers the two seconds around it; the last one covers the end.
		await until(() => posters.length === 4, "the picture of the end");
		for (const [index, at] of [1, 3, 5, 7].entries()) expect(Math.abs((posters[index] ?? 0) - at)).toBeLessThan(0.6);
	});
});
