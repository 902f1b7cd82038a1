/** The words of the list of recordings: finding, choosing and deleting. */

import { quoted } from "./isolated.ts";
import { counted } from "./words.ts";

export const recordingsTexts = {
	title: "Recordings",
	notLoaded: "The recordings could not be loaded.",

	search: "Search recordings",
	filterByRunner: "Filter by runner",
	allRunners: "All runners",
	runner: (id: number | undefined) => `Runner ${id}`,
	filterByAge: "Filter by age",
	anyAge: "Any age",
	ages: { "1h": "Last hour", "24h": "Last 24 hours", "7d": "Last 7 days", "30d": "Last 30 days" },
	sortBy: "Sort by",
	sorts: {
		createdAt: { desc: "Newest", asc: "Oldest" },
		durationSeconds: { desc: "Longest", asc: "Shortest" },
		bytes: { desc: "Largest", asc: "Smallest" },
	},
	filterByKind: "Filter by state and verdict",
	all: "All",
	states: { live: "Live", ready: "Ready", partial: "Partial" },
	verdicts: { ok: "Picture OK", black: "Black video", frozen: "Frozen picture" },

	noneFits: "No recording fits these filters",
	noneFitsHint: "Try another name, or fewer filters.",
	clearFilters: "Clear filters",
	none: "No recordings yet",
	noneHint: "Every job that captures something leaves its video here.",
	noneHintUpload: "A video that was made elsewhere can be uploaded: drop the file anywhere on this page.",
	goToJobs: "Go to jobs",
	newAbove: (count: number) => counted(count, "new recording", "new recordings"),
	newAboveHint: "There are new recordings that the list does not show yet.",

	live: "Live",
	uploading: "Uploading",
	partial: "Partial",
	partialMeaning: "The upload was interrupted. What arrived plays.",
	select: (name: string) => `Select ${name}`,

	selected: (count: number) => `${count} selected`,
	selectedBar: "Selected recordings",
	download: "Download",
	delete: "Delete",
	deleteHint: "Delete (Del)",
	clearSelection: "Clear selection",
	downloadAsked: (count: number) =>
		`Downloading ${counted(count, "video", "videos")}. If the browser asks, allow it to download several files.`,

	deleted: (count: number) => `Deleted ${counted(count, "recording", "recordings")}.`,
	undo: "Undo",
	notDeleted: (name: string, why: string) => `${quoted(name)} was not deleted. ${why}`,
	someNotDeleted: (count: number, why: string) =>
		`${counted(count, "recording was", "recordings were")} not deleted. ${why}`,
} as const;
