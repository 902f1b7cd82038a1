/** The files that an attempt leaves: its video, trace, screenshots and everything that its test attaches. */
import { extname } from "node:path";
import type { TestResult, TestStep } from "playwright/types/testReporter";
import type { Moments } from "./moments.ts";

/** A file of an attempt: what it consists of, or where it is. */
export interface AttemptFile {
	/** Its name, such as `trace.zip`. */
	name: string;
	contentType: string;
	path?: string | undefined;
	body?: Buffer | undefined;
	/** When its first frame was shown, for the video of the attempt; null for any other file. */
	videoStart: Date | null;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
	"text/plain": ".txt",
	"text/html": ".html",
	"application/json": ".json",
	"image/png": ".png",
	"image/jpeg": ".jpg",
};

/** Further videos, of other pages and contexts, are files as others are. */
export function attemptFiles(result: TestResult, moments: Moments): AttemptFile[] {
	// Playwright's reports don't show those with an underscore either.
	const shown = result.attachments.filter(
		({ name, path, body }) => !name.startsWith("_") && (path ?? body) !== undefined,
	);
	const video = shown.find(({ name, contentType }) => name === "video" && contentType.startsWith("video/"));
	return shown.map((attachment) => {
		const { name, contentType, path, body } = attachment;
		return {
			name: extname(name) === "" ? `${name}${extensionOf(contentType, path)}` : name,
			contentType,
			path,
			body,
			videoStart: attachment === video ? startOfVideo(result, moments) : null,
		};
	});
}

const extensionOf = (contentType: string, path = ""): string => extname(path) || (EXTENSIONS[contentType] ?? "");

/** A video begins with its page: a browser may take seconds to start before it, and a page to open. */
function startOfVideo(result: TestResult, moments: Moments): Date {
	const page = firstStep(result.steps, ({ category, title }) => category === "pw:api" && NEW_PAGE.test(title));
	return page === null || page.duration < 0 ? moments.startOf(result) : moments.endOf(page);
}

const NEW_PAGE = /^(?:Create page|browserContext\.newPage)/i;

function firstStep(steps: readonly TestStep[], isWanted: (step: TestStep) => boolean): TestStep | null {
	for (const step of steps) {
		const found = isWanted(step) ? step : firstStep(step.steps, isWanted);
		if (found !== null) return found;
	}
	return null;
}
