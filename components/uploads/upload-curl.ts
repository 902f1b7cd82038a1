/** A `curl` command that uploads a file. */
import { nameOfFile } from "@tapedeck/contract/file-types.ts";
import { shellQuoted } from "@tapedeck/contract/shell.ts";
import type { CheckedFile } from "./upload.ts";
import type { UploadKeeping } from "./uploads.ts";

/**
 * Reads the API key from a shell variable, so that it appears neither on the screen nor in the shell history.
 * @param chosen in the current folder.
 */
export function curlOfUpload(
	baseUrl: string,
	{ file, kind, type }: CheckedFile,
	keeping: Partial<UploadKeeping>,
): string {
	const { labels = {}, outcome, keep } = keeping;
	const named = nameOfFile(file.name, kind);
	const query = new URLSearchParams({ name: named.name, ...(kind === "video" ? {} : { kind }) });
	for (const label of Object.entries({ ...named.labels, ...labels })) query.append("label", label.join("="));
	if (outcome) query.set("outcome", outcome);
	if (keep) query.set("keep", keep);
	return [
		// Not a form's spaces, which are hard to read in an address.
		// Nor brackets in the file's name that stand for several files.
		`curl -g -X POST ${shellQuoted(`${baseUrl}/v1/recordings?${String(query).replaceAll("+", "%20")}`)} \\`,
		`  -H "Authorization: Bearer $TAPEDECK_API_KEY" \\`,
		...(kind === "video" ? [] : [`  -H ${shellQuoted(`Content-Type: ${type}`)} \\`]),
		`  -T ${shellQuoted(`./${file.name}`)}`,
	].join("\n");
}
