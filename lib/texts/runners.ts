/** The words of runners: the page, a display's picture, adding, renaming and removing one. */
import { counted } from "./words.ts";

export const pictureTexts = {
	alt: (displayId: string) => `What ${displayId} shows now`,
	none: "No picture",
} as const;

export const runnersTexts = {
	title: "Runners",
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

export const waitingTexts = {
	/** “build-1 has been offline for 3 h; 4 jobs wait for it.” */
	sentence: (name: string, offlineFor: string | null, jobs: number) =>
		`${name} ${offlineFor === null ? "is offline" : `has been offline for ${offlineFor}`}; ${counted(jobs, "job waits", "jobs wait")} for it.`,
	remedy: "Start it again on its machine, or cancel them.",
	showJobs: "Show them",
	showJobsOf: (name: string) => `Show the jobs that wait for ${name}`,
	others: (count: number) => `${counted(count, "more runner is", "more runners are")} offline with jobs waiting.`,
	showRunners: "Show runners",
} as const;

export const addRunnerTexts = {
	button: "Add runner",
	title: "Add runner",
	description: "It needs Linux with X11, ffmpeg, and a way to reach this address.",
	name: "Name",
	nameHint: "Names the runner and its token, such as the machine’s name.",
	namePlaceholder: "build-machine-1",
	make: "Make the command",
	ways: "Where it runs",
	shell: "Shell",
	docker: "Docker",
	actions: "GitHub Actions",
	shellHint:
		"Paste this in Tapedeck’s folder on the machine with the displays. The token in it is shown only now; one token may serve several runners, each with a name of its own.",
	dockerHint:
		"Paste this in Tapedeck’s folder on the machine with the displays: the image is built there, and sees the machine’s displays. The token in it is shown only now.",
	actionsSecret: "Save this token as the secret TAPEDECK_TOKEN of your repository; it is shown only now.",
	actionsHint: (origin: string) =>
		`Add these steps before those that use the display, with your own copy of Tapedeck in place of YOUR-ORG/tapedeck. GitHub’s machines have to reach ${origin}.`,
	copyCommand: "Copy the command",
	copyToken: "Copy the token",
	copySteps: "Copy the steps",
	arrived: (name: string) => `${name} is here and ready to record.`,
	waiting: "Waiting for it to connect…",
	done: "Done",
} as const;

export const runnerActionTexts = {
	actionsFor: (name: string) => `Actions for ${name}`,
	rename: "Rename",
	remove: "Remove",
	copyId: "Copy runner ID",
	copied: (id: number) => `Copied the runner's ID, ${id}.`,
	notCopied: (id: number) => `The browser did not allow copying. The runner's ID is ${id}.`,
} as const;

export const renameTexts = {
	title: (name: string) => `Rename ${name}`,
	description: "The name that everybody sees. On its machine nothing has to change: it comes back as the same runner.",
	name: "Name",
	save: "Save name",
	cancel: "Cancel",
	renamed: (name: string) => `Renamed to ${name}.`,
} as const;

export const removeTexts = {
	title: (name: string) => `Remove ${name}?`,
	lead: "It disappears from here for good. What that means:",
	waiting: (count: number) => `${counted(count, "job that waits", "jobs that wait")} for it will fail.`,
	runningOnline: (count: number) =>
		`${counted(count, "recording ends", "recordings end")} now and ${count === 1 ? "fails" : "fail"}; everything captured is uploaded first, and plays.`,
	runningOffline: (count: number) =>
		`${counted(count, "job that it had taken fails", "jobs that it had taken fail")}; what it uploaded plays.`,
	kept: "Its recordings and its jobs stay, with its name.",
	stops: "The runner’s process is told, and ends.",
	unsent: "What it has recorded and not uploaded yet is lost.",
	token:
		"Its token stays good: started again with it, the machine comes back as a new runner. To lock it out, revoke the token under Settings as well.",
	action: "Remove runner",
	removed: (name: string) => `Removed ${name}.`,
	notRemoved: (name: string, why: string) => `${name} was not removed. ${why}`,
} as const;
