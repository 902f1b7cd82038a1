import type { Attachment } from "@tapedeck/contract/attachment.ts";
import { expect, test } from "vitest";
import { groupsOf } from "./attachment-groups.ts";

let nextId = 1;
const file = (name: string, contentType: string): Attachment => ({
	...{ id: nextId++, name, contentType, bytes: 1, width: null, height: null },
	url: "http://tapedeck.test/v1/attachments/1",
});

test("the pictures of a comparison are shown together when both the expected and the actual one are there", () => {
	const [expected, actual, diff] = ["expected", "actual", "diff"].map((part) => file(`home-${part}.png`, "image/png"));
	const alone = file("cart-actual.png", "image/png");
	const other = file("home-actual.jpg", "image/jpeg");
	const groups = groupsOf([expected, actual, diff, alone, other] as Attachment[]);
	expect(groups.comparisons).toEqual([{ name: "home.png", expected, actual, diff }]);
	expect(groups.images).toEqual([alone, other]);
	expect(groupsOf([actual, expected] as Attachment[]).comparisons[0]?.diff).toBeNull();
});

test("files are shown by their kind, and pages and drawings only as downloads", () => {
	const text = file("output.txt", "text/plain");
	const json = file("state.json", "application/json");
	const trace = file("trace.zip", "application/zip");
	const page = file("home-actual.html", "text/html");
	const drawing = file("home-actual.svg", "image/svg+xml");
	const video = file("video.webm", "video/webm");
	expect(groupsOf([text, json, trace, page, drawing, video])).toEqual({
		...{ comparisons: [], images: [], videos: [video], texts: [text, json] },
		...{ traces: [trace], files: [page, drawing] },
	});
});

test.each([
	["trace.zip", true],
	["retry1-trace.zip", true],
	["trace-1.zip", true],
	["backtrace.zip", false],
	["trace.txt", false],
])("whether %s is a trace: %s", (name, isTrace) => {
	expect(groupsOf([file(name, "application/zip")]).traces.length === 1).toBe(isTrace);
});
