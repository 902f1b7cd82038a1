/** The words of the way from nothing to the first video. */
import { quoted } from "./isolated.ts";

export const newcomersTexts = {
	title: "Your first video in three steps",
	lead: "Each step ticks itself off as it happens.",
	done: "Done:",
	dismiss: "Hide these steps",

	connect: "Connect a runner",
	connectMeaning: "A runner is a small program on a Linux machine with X displays. It records what they show.",
	makeCommand: "Make the command",
	paste: "Paste this in Tapedeck’s folder on that machine. The token in it is shown only now.",
	copyCommand: "Copy the command",
	waitingForRunner: "Waiting for it to connect…",
	askAdmin: "Ask an owner or admin of this organization to add one.",
	firstName: "my-first-runner",
	connected: (name: string) => `${name} is connected.`,
	offline: (name: string) => `${name} is offline. Start it again on its machine.`,

	record: "Make a recording",
	recordMeaning: "Or from a script, with an API key:",
	openForm: "Fill in the form",
	makeKey: "Make an API key",
	recorded: (name: string) => `${quoted(name)} was recorded.`,
	recording: (name: string) => `${quoted(name)} is being recorded.`,
	waiting: (name: string) => `${quoted(name)} waits for its runner.`,
	starting: (name: string) => `${quoted(name)} is about to begin.`,
	failed: (name: string) => `${quoted(name)} left no video.`,
	seeWhy: "See why",

	watch: "Watch it",
	watchMeaning: "The picture is live while it is recorded, and plays from here afterwards.",
	watchLive: "Watch it live",
	interruptHint: "It records until you cancel it there.",
	uploading: "The last bytes are on their way.",
	ready: "Your first video is ready.",
	play: "Play the video",
} as const;
