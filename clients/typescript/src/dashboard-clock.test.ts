import { afterEach, expect, test, vi } from "vitest";
import { DashboardClock } from "./dashboard-clock.ts";

afterEach(() => {
	vi.useRealTimers();
});

const at = (ms: number) => new Date(ms).toISOString();

test("a slow answer does not replace the reading of a fast one", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	expect(clock.shiftMs).toBeUndefined();
	const quick = performance.now();
	vi.advanceTimersByTime(20);
	clock.read(at(Date.now() - 10 + 3_000), quick);
	expect(clock.shiftMs).toBe(3_000);
	const slow = performance.now();
	vi.advanceTimersByTime(8_000);
	clock.read(at(Date.now() + 3_000), slow);
	expect(clock.shiftMs).toBe(3_000);
});

test("setting this machine's clock is noticed without another answer", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	clock.read(at(Date.now()), performance.now());
	expect(clock.shiftMs).toBe(0);
	vi.setSystemTime(Date.now() + 3_600_000);
	expect(clock.shiftMs).toBe(-3_600_000);
});

test("an old reading is replaced by a new one that is not much slower", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	clock.read(at(Date.now()), performance.now());
	vi.advanceTimersByTime(3_600_000);
	const called = performance.now();
	vi.advanceTimersByTime(100);
	clock.read(at(Date.now() - 50 + 250), called);
	expect(clock.shiftMs).toBe(250);
});

test("after a sleep, which the monotonic clock does not count, the next answer is used however slow it was", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	clock.read(at(Date.now()), performance.now());
	vi.setSystemTime(Date.now() + 600_000);
	const called = performance.now();
	vi.advanceTimersByTime(1_000);
	clock.read(at(Date.now() - 500), called);
	expect(clock.shiftMs).toBe(0);
});

test("an answer that is slow in one direction does not make equal clocks differ", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	const called = performance.now();
	vi.advanceTimersByTime(4_700);
	clock.read(at(Date.now()), called);
	expect(clock.shiftMs).toBe(0);
});

test("a late answer is not taken for a clock that was set, although the clocks of two dashboards differ by milliseconds", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	clock.read(at(Date.now()), performance.now());
	vi.advanceTimersByTime(60_000);
	const called = performance.now();
	// The other dashboard stood still for that long before it read the call, so it does not know how long it had it.
	vi.advanceTimersByTime(4_100);
	clock.read(at(Date.now() + 30), called);
	expect(clock.shiftMs).toBe(0);
});

test("an answer that the dashboard held says as much as one that it gave at once", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	const called = performance.now();
	vi.advanceTimersByTime(20_010);
	clock.read(`${at(Date.now() - 5 + 3_000)}; dur=20000`, called);
	expect(clock.shiftMs).toBe(3_000);
});

test("times are corrected by what another process has measured, but not by less than half a second", () => {
	const noon = new Date("2026-11-25T12:00:00Z");
	expect(new DashboardClock().timeOf(noon)).toEqual(noon);
	expect(new DashboardClock(-400).timeOf(noon)).toEqual(noon);
	const corrected = new DashboardClock(-30_000).timeOf(noon).getTime() - noon.getTime();
	expect(Math.abs(corrected + 30_000)).toBeLessThan(50);
	const clock = new DashboardClock(-30_000);
	clock.read(at(Date.now() + 5_000), performance.now());
	expect(Math.round((clock.timeOf(noon).getTime() - noon.getTime()) / 1_000)).toBe(5);
});
