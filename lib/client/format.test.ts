import { globSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import {
	failedTests,
	formatAge,
	formatBytes,
	formatClock,
	formatLength,
	formatOffset,
	formatSpan,
	quoted,
} from "./format.ts";

test("spans have at most two units, none of them zero", () => {
	expect([0, 1, 60, 125, 3600, 3661, 90_000, 604_800].map(formatSpan)).toEqual([
		"0 s",
		"1 s",
		"1 min",
		"2 min 5 s",
		"1 h",
		"1 h 1 min",
		"1 d 1 h",
		"7 d",
	]);
});

test("measured durations have tenths below a minute", () => {
	expect([30, 5.2, 0.1, 59.96, 125].map(formatLength)).toEqual(["30.0 s", "5.2 s", "0.1 s", "1 min", "2 min 5 s"]);
	expect([0.0994, 0.04, 0.0004, 0].map(formatLength)).toEqual(["99 ms", "40 ms", "0 ms", "0 ms"]);
});

test("offsets have a sign, and zero counts as after", () => {
	expect([0, 12.44, -1.3, -0.02, 3723].map(formatOffset)).toEqual([
		"+0:00.0",
		"+0:12.4",
		"−0:01.3",
		"+0:00.0",
		"+1:02:03.0",
	]);
});

test("ages count from now, and a clock that runs ahead shows no future time", () => {
	expect([-5_000, 0, 12_000, 180_000, 7_200_000, 432_000_000].map((age) => formatAge(0, age))).toEqual([
		"just now",
		"just now",
		"12 s ago",
		"3 min ago",
		"2 h ago",
		"5 d ago",
	]);
});

test("sizes switch to the next unit before they have four digits", () => {
	expect([0, 999, 1000, 4_640_000, 999_600, 12_300_000_000].map(formatBytes)).toEqual([
		"0 B",
		"999 B",
		"1.0 kB",
		"4.6 MB",
		"1.0 MB",
		"12 GB",
	]);
});

test("times follow a change of the time zone while the page is open", () => {
	onTestFinished(() => void vi.unstubAllEnvs());
	const clockIn = (place: string) => {
		vi.stubEnv("TZ", place);
		return formatClock("2026-11-22T12:30:05Z");
	};
	expect(["UTC", "Asia/Tokyo", "UTC"].map(clockIn)).toEqual(["12:30:05", "21:30:05", "12:30:05"]);
});

test("right-to-left names and direction marks do not reorder the sentence around them", () => {
	expect(quoted("Checkout")).toBe("“Checkout”");
	for (const name of ["בדיקה", "اختبار", "gpj.\u202etnemyap", "\u2067x"])
		expect(quoted(name)).toBe(`“\u2068${name}\u2069”`);
});

test("no page quotes a name without isolating it", () => {
	const files = globSync("{components,lib/client}/**/*.{ts,tsx}").filter((file) => !file.includes(".test."));
	const byHand = files.filter((file) => file !== "lib/client/format.ts" && readFileSync(file, "utf8").includes("“${"));
	expect(byHand).toEqual([]);
});

test("failed tests are counted with their attempts when there were more attempts than tests", () => {
	expect(failedTests(13, 24)).toBe("13 tests failed (24 attempts)");
	expect(failedTests(1, 1)).toBe("1 test failed");
});
