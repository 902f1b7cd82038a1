/** The words of the list of recordings: finding, choosing, deleting and uploading. */
import { counted } from "./words.ts";

export const recordingsTexts = {
	deleted: (count: number) => `Deleted ${counted(count, "recording", "recordings")}.`,
	undo: "Undo",
	notDeleted: (name: string, why: string) => `“${name}” was not deleted. ${why}`,
	someNotDeleted: (count: number, why: string) =>
		`${counted(count, "recording was", "recordings were")} not deleted. ${why}`,
} as const;
