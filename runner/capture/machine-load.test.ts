import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { trackFile } from "../spool/track-files.ts";
import { loadBetween, recordLoad, ticksIn } from "./machine-load.ts";

test("shares are those of the time between two readings", () => {
	const before = ticksIn("cpu  100 0 50 800 50 0 0 0 7 7\ncpu0 1 2 3\n");
	const now = ticksIn("cpu  140 0 60 830 60 0 0 10 9 9\ncpu0 1 2 3\n");
	expect(loadBetween(before, now, 0.5)).toEqual({ cpu: 0.5, memory: 0.5, steal: 0.1, diskWait: 0.1 });
	expect(loadBetween(now, now, 0.5)).toEqual({ cpu: 0, memory: 0.5, steal: 0, diskWait: 0 });
});

test("the load of this machine is written once a second, for less than a thousandth of a core", async () => {
	const folder = await temporaryFolder("load");
	const before = process.cpuUsage();
	const over = new AbortController();
	const began = performance.now();
	// Measures many recordings at once, because the load of a single one is too small next to that of the test.
	const recordings = 50;
	await Promise.all([
		...Array.from({ length: recordings - 1 }, () => recordLoad(join(folder, "gone"), over.signal)),
		recordLoad(folder, over.signal),
		new Promise((resolve) => setTimeout(resolve, 5_500)).then(() => over.abort()),
	]);
	const seconds = (performance.now() - began) / 1_000;
	const { user, system } = process.cpuUsage(before);
	expect((user + system) / 1_000_000 / seconds / recordings).toBeLessThan(0.001);
	const lines = (await readFile(trackFile(folder, "load"), "utf8")).trimEnd().split("\n");
	expect(lines.length).toBeGreaterThan(1);
	for (const line of lines) {
		const { at, text, data } = JSON.parse(line);
		expect(Date.parse(at)).toBeGreaterThan(Date.now() - 60_000);
		expect(text).toMatch(/^CPU \d+ %, memory \d+ %, steal \d+ %, disk wait \d+ %$/);
		for (const share of Object.values(data)) expect(share).toSatisfy((value: number) => value >= 0 && value <= 1);
	}
});
