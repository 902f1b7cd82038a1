import { expect, test } from "vitest";
import { RateLimit } from "./rate-limit.ts";

/** Adds shares until something changes. @returns the change and the limit, and after how many shares. */
function changeAfter(limit: RateLimit, share: (rate: number) => number, wanted = 15, most = 1_000) {
	for (let shares = 1; shares <= most; shares++) {
		const changed = limit.add(share(Math.min(wanted, limit.limit)), wanted);
		if (changed !== null) return { ...changed, limit: limit.limit, shares };
	}
	return null;
}

test("above the budget, the rate falls step by step, and at the lowest that is said once", () => {
	const limit = new RateLimit(0.15);
	const steps = [1, 2, 3, 4].map(() => changeAfter(limit, () => 0.31));
	expect(steps.map((step) => [step?.change, step?.limit])).toEqual([
		["lowered", 8],
		["lowered", 4],
		["lowered", 2],
		["exceeded", 2],
	]);
	expect(steps[0]?.share).toBeCloseTo(0.31, 6);
	expect(changeAfter(limit, () => 0.31)).toBeNull();
});

test("a rate above the steps falls to the first of them, and rises to itself again", () => {
	const limit = new RateLimit(0.15);
	expect(changeAfter(limit, () => 0.31, 60)).toMatchObject({ change: "lowered", limit: 15 });
	expect(changeAfter(limit, () => 0.01, 60)).toMatchObject({ change: "raised", limit: Number.POSITIVE_INFINITY });
});

test("a rate that is as low as it gets stays so", () => {
	const limit = new RateLimit(0.01);
	expect(changeAfter(limit, () => 0.5, 1)).toMatchObject({ change: "exceeded", limit: Number.POSITIVE_INFINITY });
	expect(changeAfter(limit, () => 0.5, 1)).toBeNull();
});

test("one busy moment changes nothing", () => {
	const limit = new RateLimit(0.15);
	const shares = Array.from({ length: 30 }, (_, index) => (index % 10 === 0 ? 0.3 : 0.05));
	expect(shares.map((share) => limit.add(share, 15))).toEqual(shares.map(() => null));
});

test("the rate rises as soon as the next one is expected to fit, and not before", () => {
	const limit = new RateLimit(0.15);
	for (let step = 0; step < 3; step++) changeAfter(limit, () => 0.31);
	expect(changeAfter(limit, () => 0.08)).toBeNull();
	expect(changeAfter(limit, () => 0.06)).toMatchObject({ change: "raised", limit: 4 });
	expect(changeAfter(limit, () => 0.06)).toMatchObject({ change: "raised", limit: 8 });
	expect(changeAfter(limit, () => 0.06)).toMatchObject({ change: "raised", limit: Number.POSITIVE_INFINITY });
	expect(changeAfter(limit, () => 0.06)).toBeNull();
});

test("a rate that costs more than expected is tried ever more rarely", () => {
	const limit = new RateLimit(0.15);
	// Whatever moves, moves whenever the rate is high.
	const share = (rate: number) => (rate > 4 ? 0.3 : 0.02);
	changeAfter(limit, share);
	const waits: number[] = [];
	for (let times = 0; times < 8; times++) {
		changeAfter(limit, share);
		waits.push(changeAfter(limit, share)?.shares ?? 0);
	}
	expect(Math.max(...waits)).toBeGreaterThan(100);
	expect(waits).toEqual(waits.toSorted((a, b) => a - b));
});

test("where there are no recordings, the next one has no limit", () => {
	const limit = new RateLimit(0.15);
	changeAfter(limit, () => 0.31);
	limit.reset();
	expect(limit.limit).toBe(Number.POSITIVE_INFINITY);
});
