/** Text files as pages show them. */
import type { Attachment } from "@tapedeck/contract/attachment.ts";
import { sanitizeLog, withoutColours } from "@tapedeck/contract/plain-text.ts";

/** Removes control characters and colours, and indents JSON. */
export const shownText = ({ contentType }: Pick<Attachment, "contentType">, text: string): string =>
	withoutColours(sanitizeLog(contentType === "application/json" ? indented(text) : text));

/** JSON that is not whole stays as it is. */
function indented(json: string): string {
	try {
		return JSON.stringify(JSON.parse(json), null, 2);
	} catch {
		return json;
	}
}
