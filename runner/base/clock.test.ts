import { expect, test } from "vitest";
import { bootMs, clockSetBy, isOfThisBoot, wallClock } from "./clock.ts";

test("the time since boot goes on as the monotonic clock does", async () => {
	const [boot, monotonic] = [bootMs(), performance.now()];
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(bootMs() - boot - (performance.now() - monotonic)).toBeCloseTo(0, -1);
});

test("a wall clock that nobody sets is the same clock for as long as the machine runs; one that was set is told by how much", () => {
	const clock = wallClock();
	expect(isOfThisBoot(clock)).toBe(true);
	expect(clockSetBy(clock)).toBe(0);
	expect(clockSetBy({ ...clock, wallAtBootMs: clock.wallAtBootMs - 3_600_000 })).toBeCloseTo(3_600_000, -3);
	expect(clockSetBy({ ...clock, wallAtBootMs: clock.wallAtBootMs + 1_000 })).toBeCloseTo(-1_000, -3);
	expect(isOfThisBoot({ ...clock, boot: "another" })).toBe(false);
});
