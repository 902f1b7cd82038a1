/** The files that an attempt leaves: its video, trace, screenshots and whatever its test attaches. */
import { extname } from "node:path";
import type { TestResult } from "playwright/types/testReporter";

/** A file of an attempt: what it consists of, or where it is. */
export interface AttemptFile {
	/** Such as `trace.zip`. */
	name: string;
	contentType: string;
	path?: string | undefined;
	body?: Buffer | undefined;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
	"text/plain": ".txt",
	"text/html": ".html",
	"application/json": ".json",
	"image/png": ".png",
	"image/jpeg": ".jpg",
};

export function attemptFiles({ attachments }: TestResult): AttemptFile[] {
	// Playwright's reports don't show those with an underscore either.
	const shown = attachments.filter(({ name, path, body }) => !name.startsWith("_") && (path ?? body) !== undefined);
	return shown.map(({ name, contentType, path, body }) => {
		const fileName = extname(name) === "" ? `${name}${extensionOf(contentType, path)}` : name;
		return { name: fileName, contentType, path, body };
	});
}

const extensionOf = (contentType: string, path = ""): string => extname(path) || (EXTENSIONS[contentType] ?? "");
