/** The words of runners: the page, and a display's picture. */
import { counted } from "./words.ts";

export const pictureTexts = {
	alt: (displayId: string) => `What ${displayId} shows now`,
	none: "No picture",
} as const;

export const runnersTexts = {
	title: "Runners",
	add: "Add runner",
	actionsFor: (name: string) => `Actions for ${name}`,
	list: "Runners",
	notLoaded: "The runners could not be loaded.",
	noneTitle: "No runner yet",
	none: "A runner is a small program on a Linux machine with X displays. Press “Add runner” above: you get one command to paste there, and it appears here by itself.",
	noneForOthers:
		"A runner is a small program on a Linux machine with X displays. An owner or admin of this organization can add one.",
	online: "Online",
	offline: "Offline",
	version: (version: string) => `version ${version}`,
	/** Of one that is connected: it is heard from every few seconds. */
	seenNow: "seen just now",
	neverSeen: "never seen",
	seen: "seen",
	displays: "Displays",
	noDisplays: "None found. Start an X server there, or set DISPLAY for the runner.",
	size: (width: number, height: number) => `${width} × ${height}`,
	runningNow: "Running now",
	idle: "Nothing. It is free.",
	idleOffline: "Nothing.",
	andMore: (count: number) => `and ${counted(count, "more", "more")}`,
	onDisplay: (displayId: string) => `on ${displayId}`,
	job: (id: number) => `Job ${id}`,
	lastJobs: "Last jobs",
	noJobs: "None yet.",
	allJobs: "All jobs",
	allJobsOf: (name: string) => `All jobs of ${name}`,
} as const;
