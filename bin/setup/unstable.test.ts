/** The verdict on a run with unstable tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addToLedger, readLedger, verdict } from "./unstable.mjs";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-ledger-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const entry = (test: string) => ({ test, message: "It was late.", commit: "0123456", date: "2026-11-28" });
const times = (count: number, test: string) => Array.from({ length: count }, () => entry(test));

test("a run passes with two unstable tests, and fails with three", () => {
	expect(verdict([], ["a", "b"])).toEqual([]);
	expect(verdict([], ["a", "b", "c"])).toEqual([expect.stringContaining("3 tests were unstable")]);
});

test("the unstable tests of the part of the run before count as well", () => {
	expect(verdict([], ["a"], 1)).toEqual([]);
	expect(verdict([], ["a"], 2)).toEqual([expect.stringContaining("3 tests were unstable")]);
});

test("a run fails if one of its unstable tests is in the ledger three times", () => {
	expect(verdict(times(2, "a"), ["a"])).toEqual([]);
	expect(verdict(times(3, "a"), ["a"])).toEqual([expect.stringMatching(/^a is in the ledger 3 times/)]);
	expect(verdict(times(3, "a"), ["b"])).toEqual([]);
});

test("a run fails if the ledger has ten tests, with those of the run", () => {
	const nine = [..."abcdefghi"].map(entry);
	expect(verdict(nine, [])).toEqual([]);
	expect(verdict(nine, ["a"])).toEqual([]);
	expect(verdict(nine, ["j"])).toEqual([expect.stringContaining("The ledger has 10 tests.")]);
	expect(verdict([...nine, entry("j")], [])).toEqual([expect.stringContaining("The ledger has 10 tests.")]);
});

test("an unstable test is added behind earlier entries, with its message and commit", async () => {
	const file = join(folder, "unstable.json");
	expect(readLedger(file)).toEqual([]);
	await addToLedger([{ test: "a", message: "It was late." }], file);
	await addToLedger([{ test: "b", message: "It was early." }], file);
	await addToLedger([], file);
	expect(readLedger(file)).toEqual([
		{ test: "a", message: "It was late.", commit: expect.stringMatching(/^[0-9a-f]{7,}$/), date: expect.any(String) },
		{ test: "b", message: "It was early.", commit: expect.stringMatching(/^[0-9a-f]{7,}$/), date: expect.any(String) },
	]);
});
