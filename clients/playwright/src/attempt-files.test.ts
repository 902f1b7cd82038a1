import type { TestResult } from "playwright/types/testReporter";
import { expect, test } from "vitest";
import { attemptFiles } from "./attempt-files.ts";
import { Moments } from "./moments.ts";

const AT = Date.parse("2026-11-21T01:12:00.000Z");
const step = (category: string, title: string, second: number, seconds: number, steps: object[] = []) => ({
	...{ category, title, steps, duration: seconds * 1_000, startTime: new Date(AT + second * 1_000) },
});
const filesOf = (attachments: object[], steps: object[] = []) =>
	attemptFiles({ attachments, steps, startTime: new Date(AT) } as unknown as TestResult, new Moments());

test("files have names with extensions, and what reports don't show is left out", () => {
	const files = filesOf([
		{ name: "trace", contentType: "application/zip", path: "/results/trace.zip" },
		{ name: "screenshot", contentType: "image/png", path: "/results/test-failed-1.png" },
		{ name: "cart-expected.png", contentType: "image/png", path: "/results/cart-expected.png" },
		{ name: "cart", contentType: "application/json", body: Buffer.from("{}") },
		{ name: "other", contentType: "x/y", body: Buffer.from("{}") },
		{ name: "_internal", contentType: "text/plain", body: Buffer.from("-") },
		{ name: "empty", contentType: "text/plain" },
	]);
	expect(files.map(({ name }) => name)).toEqual([
		...["trace.zip", "screenshot.png", "cart-expected.png", "cart.json", "other"],
	]);
	expect(files.every(({ videoStart }) => videoStart === null)).toBe(true);
});

test("the first video is the attempt's, from the end of the step that opened its page, and others are files", () => {
	const video = { name: "video", contentType: "video/webm", path: "/results/video.webm" };
	const opened = step("hook", "Before Hooks", 0.1, 4, [
		step("fixture", 'Fixture "browser"', 0.2, 1),
		step("fixture", 'Fixture "page"', 1.3, 2, [step("pw:api", "Create page", 1.5, 1.25)]),
	]);
	const startsOf = (steps: object[]) =>
		filesOf([video, { ...video }], steps).map(({ name, videoStart }) => [name, videoStart?.getTime() ?? null]);
	expect(startsOf([opened])).toEqual([
		["video.webm", AT + 2_750],
		["video.webm", null],
	]);
	expect(startsOf([])[0]).toEqual(["video.webm", AT]);
	expect(startsOf([step("pw:api", "Create page", 1, -0.001)])[0]).toEqual(["video.webm", AT]);
});
