import { expect, test } from "vitest";
import { pause } from "../../test/wait.ts";
import { bootMs, clockSetBy, isOfThisBoot, stamped, wallClock } from "./clock.ts";

test("the time since boot advances like the monotonic clock", async () => {
	// Between two clocks, this process may have to wait for others.
	const read = () => ({ before: performance.now(), boot: bootMs(), after: performance.now() });
	const first = read();
	await pause(300);
	const second = read();
	expect(second.boot - first.boot).toBeGreaterThan(second.before - first.after - 5);
	expect(second.boot - first.boot).toBeLessThan(second.after - first.before + 5);
});

test("a wall clock that was not set counts as the same clock; for one that was set, the difference is known", () => {
	const clock = wallClock();
	expect(isOfThisBoot(clock)).toBe(true);
	expect(clockSetBy(clock)).toBe(0);
	expect(clockSetBy({ ...clock, wallAtBootMs: clock.wallAtBootMs - 3_600_000 })).toBeCloseTo(3_600_000, -3);
	expect(clockSetBy({ ...clock, wallAtBootMs: clock.wallAtBootMs + 1_000 })).toBeCloseTo(-1_000, -3);
	expect(isOfThisBoot({ ...clock, boot: "another" })).toBe(false);
});

test("stamped times are exactly as far apart as their moments", () => {
	const moment = bootMs();
	const times = Array.from({ length: 1_000 }, (_, index) => {
		const { at } = stamped((timeOf) => ({ at: timeOf(moment + index) }));
		return Date.parse(at) - index;
	});
	expect(new Set(times).size).toBe(1);
});
