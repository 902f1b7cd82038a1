/** The names of downloaded files. */
import { safeFileName } from "@tapedeck/media/content-disposition.ts";
import type { RecordingRow } from "#lib/lifecycle/recording-store.ts";

/** Extensions by media type, for names without one. */
const EXTENSIONS: Readonly<Record<string, string>> = {
	"video/mp4": "mp4",
	"video/webm": "webm",
	"image/png": "png",
	"image/jpeg": "jpg",
	"image/gif": "gif",
	"image/webp": "webp",
	"application/pdf": "pdf",
	"application/json": "json",
	"application/zip": "zip",
	"text/plain": "txt",
	"text/csv": "csv",
	"text/html": "html",
	"text/markdown": "md",
};

/**
 * A name that every operating system accepts. Videos and images are named by what they are, other files by the extension of
 * their name.
 * @param end of the name, before its extension. @param extension instead of that of the file.
 */
export function fileNameOf(
	{ name, kind, contentType }: Pick<RecordingRow, "name" | "kind" | "contentType">,
	end = "",
	extension?: string,
): string {
	if (kind === "video") return safeFileName(name, extension ?? (contentType === "video/webm" ? "webm" : "mp4"), end);
	const [, stem = name, own] = /^(.+)\.([A-Za-z0-9]{1,16})$/.exec(name) ?? [];
	const byType = EXTENSIONS[contentType];
	return safeFileName(stem, extension ?? (kind === "image" ? byType : own) ?? byType ?? own ?? "bin", end);
}
