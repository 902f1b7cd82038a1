/** A `curl` command that uploads a video. */
import { shellQuoted } from "@tapedeck/contract/shell.ts";
import type { UploadKeeping } from "./uploads.ts";
import { nameOfFile } from "./video-file.ts";

/**
 * Reads the API key from a shell variable, so that it appears neither on the screen nor in the shell history.
 * @param fileName in the current folder.
 */
export function curlOfUpload(baseUrl: string, fileName: string, keeping: Partial<UploadKeeping>): string {
	const { labels = {}, outcome, keep } = keeping;
	const query = new URLSearchParams({ name: nameOfFile(fileName) });
	for (const label of Object.entries(labels)) query.append("label", label.join("="));
	if (outcome) query.set("outcome", outcome);
	if (keep) query.set("keep", keep);
	return [
		// Not a form's spaces, which are hard to read in an address.
		// Nor brackets in the file's name that stand for several files.
		`curl -g -X POST ${shellQuoted(`${baseUrl}/v1/recordings?${String(query).replaceAll("+", "%20")}`)} \\`,
		`  -H "Authorization: Bearer $TAPEDECK_API_KEY" \\`,
		`  -T ${shellQuoted(`./${fileName}`)}`,
	].join("\n");
}
