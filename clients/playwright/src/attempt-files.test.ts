import type { TestResult } from "playwright/types/testReporter";
import { expect, test } from "vitest";
import { attemptFiles } from "./attempt-files.ts";

const filesOf = (attachments: object[]) => attemptFiles({ attachments } as unknown as TestResult);

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
});
