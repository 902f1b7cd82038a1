import { afterEach, expect, test, vi } from "vitest";
import { DashboardClock } from "./clock.ts";

afterEach(() => {
	vi.useRealTimers();
});

const at = (ms: number) => new Date(ms).toISOString();

test("an answer that was long on its way does not change what a quick one has told", () => {
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

test("this machine's clock being set is noticed without another answer", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	clock.read(at(Date.now()), performance.now());
	expect(clock.shiftMs).toBe(0);
	vi.setSystemTime(Date.now() + 3_600_000);
	expect(clock.shiftMs).toBe(-3_600_000);
});

test("a reading that has become old gives way to a fresh one that is not much slower", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	clock.read(at(Date.now()), performance.now());
	vi.advanceTimersByTime(3_600_000);
	const called = performance.now();
	vi.advanceTimersByTime(100);
	clock.read(at(Date.now() - 50 + 250), called);
	expect(clock.shiftMs).toBe(250);
});

test("after a sleep, for which the monotonic clock stood still, the next answer counts however slow it was", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	clock.read(at(Date.now()), performance.now());
	vi.setSystemTime(Date.now() + 600_000);
	const called = performance.now();
	vi.advanceTimersByTime(1_000);
	clock.read(at(Date.now() - 500), called);
	expect(clock.shiftMs).toBe(0);
});

test("an answer that was slow on one way only does not make two clocks differ that agree", () => {
	vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
	const clock = new DashboardClock();
	const called = performance.now();
	vi.advanceTimersByTime(4_700);
	clock.read(at(Date.now()), called);
	expect(clock.shiftMs).toBe(0);
});
