/** The words of adding, renaming and removing a runner. */

import { isolated } from "./isolated.ts";
import { counted } from "./words.ts";

export const addRunnerTexts = {
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
	arrived: (name: string) => `${isolated(name)} is here and ready to record.`,
	waiting: "Waiting for it to connect…",
	done: "Done",
} as const;

export const runnerActionTexts = {
	rename: "Rename",
	remove: "Remove",
	copyId: "Copy runner ID",
	copied: (id: number) => `Copied the runner's ID, ${id}.`,
	notCopied: (id: number) => `The browser did not allow copying. The runner's ID is ${id}.`,
} as const;

export const renameTexts = {
	title: (name: string) => `Rename ${isolated(name)}`,
	description: "The name that everybody sees. On its machine nothing has to change: it comes back as the same runner.",
	name: "Name",
	save: "Save name",
	cancel: "Cancel",
	renamed: (name: string) => `Renamed to ${isolated(name)}.`,
} as const;

export const removeTexts = {
	title: (name: string) => `Remove ${isolated(name)}?`,
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
	removed: (name: string) => `Removed ${isolated(name)}.`,
	notRemoved: (name: string, why: string) => `${isolated(name)} was not removed. ${why}`,
} as const;
