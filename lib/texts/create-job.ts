/** The words of the create form. */
import type { StopCondition } from "#lib/contract/stop-condition.ts";
import { quoted } from "./isolated.ts";

export const createJobTexts = {
	runAgainOf: (name: string) => `Filled in like ${quoted(name)}.`,
	notFilledIn: (id: number, why: string) => `Job ${id} could not be read, so the form is not filled in. ${why}`,
	passwordAgain: "Type the grid’s password again: Tapedeck shows it to nobody, so it could not be copied.",
	createJob: "Create job",
	createJobHint: "Create job (Ctrl+Enter)",
	creating: "Creating…",
	startOver: "Start over",
	needsRunner: "A job needs a runner to record it. Add one on the Runners page first.",
	sameWithCurl: "The same with curl",
	copyCommand: "Copy the command",
} as const;

export const jobFieldTexts = {
	name: "Name",
	nameHint: "Left empty, it gets a readable one.",
	namePlaceholder: "Checkout, nightly",

	noRunnerBefore: "There is no runner yet, and jobs need one.",
	addRunner: "Add a runner",
	noRunnerAfter: "first.",
	runner: "Runner",
	loading: "Loading…",
	chooseRunner: "Choose a runner",
	online: "online",
	offline: "offline",
	runnerOption: (name: string, state: string) => `${name} · ${state}`,
	runnerGone: (id: string) => `Runner ${id} · no longer there`,
	onlineIdle: "Online, records nothing now.",
	onlineBusy: (jobs: string) => `Online, records ${jobs} now.`,
	offlineFor: (span: string) => `Offline for ${span}: the job waits until it comes back.`,
	neverConnected: "It has never connected: the job waits until it does.",

	display: "Display",
	displayPlaceholder: ":99",
	displayHint: "Chosen below, or typed.",
	displayUnknown: "Not there now: the job waits 10 s for it.",
	size: (width: number, height: number) => `${width} × ${height}`,
	screens: "What is there to record",

	stopCondition: "Stop condition",

	durationSeconds: "Duration (seconds)",
	durationHint: "From the first picture on; at most 7 days.",
	durationInWords: (span: string) => `${span} from the first picture on.`,
	commonDurations: "Common durations",

	gridUrl: "Grid URL",
	gridUrlHint: "As the runner reaches it. Grid 4, Grid 3 and Selenoid are understood.",
	gridUrlPlaceholder: "http://selenium:4444",
	gridUsername: "Grid username",
	gridUsernameHint: "If the grid asks for one.",
	gridPassword: "Grid password",
	gridPasswordHint: "Only the runner gets it; it is never shown again.",
	firstSession: "Wait for first session (seconds)",
	firstSessionHint: "How long the grid may be empty at the beginning. Left empty, the 5 seconds count from the start.",
} as const;

/** What an ending means, for those who choose. */
export const STOP_CONDITION_HINTS: Record<StopCondition, string> = {
	duration: "Stops by itself after a set time.",
	interrupt: "Records until the job is cancelled.",
	selenium_idle: "Stops when a Selenium Grid has had no session for 5 seconds.",
};
