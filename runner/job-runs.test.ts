import { expect, test } from "vitest";
import { jobSpool } from "../test/runners/job-spool.ts";
import { JobRuns } from "./job-runs.ts";
import type { JobRun } from "./run-job.ts";

const spool = jobSpool();

test("a display is previewed by the stills of recordings that show all of it, not of a part or a window", async () => {
	const runs = new JobRuns();
	const never = new Promise<never>(() => undefined);
	runs.add({ spool: spool(), stopReason: never, finished: never } as unknown as JobRun);
	expect(runs.posterFiles(":7")).toEqual([expect.stringContaining(spool().folder)]);
	expect(runs.posterFiles(":8")).toEqual([]);
	const { video } = spool().manifest;
	video.window = "Shop";
	expect(runs.posterFiles(":7")).toEqual([]);
	delete video.window;
	video.region = { x: 0, y: 0, width: 100, height: 100 };
	expect(runs.posterFiles(":7")).toEqual([]);
});
