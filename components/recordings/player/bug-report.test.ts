import { describe, expect, test } from "vitest";
import { type BugReport, bugReport, momentOf, stretchOf } from "./bug-report.ts";

const none = { loop: null, failureSeconds: null, seconds: 0, durationSeconds: 60 };

describe("stretchOf", () => {
	test("is what was chosen, once it has an end", () => {
		expect(stretchOf({ ...none, loop: { start: 3.0004, end: 7.25 }, failureSeconds: 30 })).toEqual({
			from: 3,
			to: 7.25,
		});
		expect(stretchOf({ ...none, loop: { start: 3, end: null }, failureSeconds: 30 })).toEqual({ from: 25, to: 35 });
	});

	test("is five seconds before to five seconds after the failure, else around the position, within the video", () => {
		expect(stretchOf({ ...none, failureSeconds: 30, seconds: 50 })).toEqual({ from: 25, to: 35 });
		expect(stretchOf({ ...none, seconds: 50 })).toEqual({ from: 45, to: 55 });
		expect(stretchOf({ ...none, seconds: 2 })).toEqual({ from: 0, to: 7 });
		expect(stretchOf({ ...none, failureSeconds: 58 })).toEqual({ from: 53, to: 60 });
		// Reported after the last frame.
		expect(stretchOf({ ...none, failureSeconds: 75 })).toEqual({ from: 55, to: 60 });
	});

	test("is no longer than a clip can be", () => {
		expect(stretchOf({ ...none, durationSeconds: 5_000, loop: { start: 10, end: 4_000 } })).toEqual({
			from: 10,
			to: 610,
		});
	});
});

test("a report leads to the failure, else to the position, if they are in the stretch, else to its beginning", () => {
	const stretch = { from: 10, to: 20 };
	expect(momentOf({ ...none, failureSeconds: 12, seconds: 15 }, stretch)).toBe(12);
	expect(momentOf({ ...none, failureSeconds: 30, seconds: 15 }, stretch)).toBe(15);
	expect(momentOf({ ...none, failureSeconds: 30, seconds: 5 }, stretch)).toBe(10);
});

describe("bugReport", () => {
	const report: BugReport = {
		title: "checkout pays",
		outcome: "Failed",
		message: "Expected 3\nReceived 2",
		labels: { build: "shop #4", branch: "main" },
		failureSeconds: 9,
		seconds: 9,
		stretch: { from: 4, to: 14 },
		isApproximate: false,
		links: { moment: "https://t/recordings/1?t=9", clip: "https://t/clip", frame: "https://t/frame" },
		errors: [{ track: "console", offsetSeconds: 8.9, text: "\u001b[31mTypeError\u001b[0m: x is undefined" }],
	};

	test("has title, outcome, message, links, labels and the last errors", () => {
		expect(bugReport(report)).toBe(
			[
				"### checkout pays",
				"",
				"**Failed** at 0:09.0",
				"",
				"```text\nExpected 3\nReceived 2\n```",
				"",
				"- [Video at 0:09.0](https://t/recordings/1?t=9)",
				"- [Clip from 0:04.0 to 0:14.0](https://t/clip)",
				"- [Frame at 0:09.0](https://t/frame)",
				"- Labels: `build=shop #4`, `branch=main`",
				"",
				"Last errors:",
				"",
				"```text\n0:08.9 console: TypeError: x is undefined\n```",
				"",
			].join("\n"),
		);
	});

	test("says about when the time of the failure is not exact, and has no clip and no frame of it", () => {
		const links = { moment: "https://t/recordings/1?result=7", clip: null, frame: null };
		const text = bugReport({ ...report, isApproximate: true, links, errors: [] });
		expect(text).toContain("**Failed** at about 0:09\n");
		expect(text).toContain("- [Video at about 0:09](https://t/recordings/1?result=7)\n- Labels");
		expect(text).not.toMatch(/0:09\.|Clip|Frame|errors/);
	});

	test("says when it failed also if another moment is reported", () => {
		const text = bugReport({ ...report, isApproximate: true, seconds: 31.5, stretch: { from: 30, to: 35 } });
		expect(text).toContain("**Failed** at about 0:09\n");
		expect(text).toContain("- [Video at 0:31.5]");
		expect(text).toContain("- [Frame at 0:31.5]");
	});

	test("says nothing of what is not known", () => {
		expect(bugReport({ ...report, failureSeconds: null })).toContain("**Failed**\n");
		const text = bugReport({ ...report, outcome: null, message: null, labels: {}, errors: [] });
		expect(text).not.toMatch(/null|undefined|Labels|errors|```/);
	});

	test("no text ends its block, its code or its line", () => {
		const text = bugReport({
			...report,
			title: "<img src=x onerror=alert(1)>\n# [link](javascript:x) `a` @all",
			message: "```\n<script>alert(1)</script>\n````",
			labels: { test: "``a`" },
		});
		expect(text.split("\n")[0]).toBe(
			"### \\<img src=x onerror=alert(1)\\> \\# \\[link\\](javascript:x) \\`a\\` \\@all",
		);
		expect(text).toContain("`````text\n```\n<script>alert(1)</script>\n````\n`````");
		expect(text).toContain("``` test=``a` ```");
	});
});
