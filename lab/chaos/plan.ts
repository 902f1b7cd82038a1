/** The plan of a run, drawn from its seed before it begins: the same seed and length give the same plan. */
import type { StopCondition } from "@tapedeck/contract/stop-condition.ts";
import { type Random, randomFrom } from "./random.ts";

/** Faults of runners and their ffmpegs; one at a time, so that each can be checked by itself. */
const RUNNER_FAULTS = [
	"kill_ffmpeg",
	"kill_runner",
	"kill_runner_and_ffmpeg",
	"terminate_runner",
	"freeze_ffmpeg",
	"pause_runner_and_ffmpeg",
	"fill_runner_disk",
] as const;
/** Faults of the dashboard, of its callers, and of the networks to it. They may overlap with all others. */
const SERVICE_FAULTS = [
	"kill_dashboard",
	"terminate_dashboard",
	"stall",
	"drop",
	"reset",
	"half_close",
	"fill_dashboard_disk",
	"delete_recordings",
	"set_clock_ahead",
] as const;
/** Faults of a command to which a runner has lent a display: of the display, and of the browser on it. They may overlap with all others. */
const WORKER_FAULTS = ["kill_xvfb", "kill_browser"] as const;
/** These keep no runner from the dashboard, however long they last. */
export const HARMLESS_TO_RUNNERS: readonly FaultKind[] = ["delete_recordings", "set_clock_ahead", ...WORKER_FAULTS];
/** These have no runner. */
const DASHBOARD_FAULTS: readonly FaultKind[] = [
	"kill_dashboard",
	"terminate_dashboard",
	"fill_dashboard_disk",
	"delete_recordings",
	"set_clock_ahead",
];
export type FaultKind = (typeof LANES)[number][number];
/** Faults of one lane never overlap. */
export const LANES = [RUNNER_FAULTS, SERVICE_FAULTS, WORKER_FAULTS] as const;
export const FAULT_KINDS: readonly FaultKind[] = LANES.flat();

export interface PlannedFault {
	kind: FaultKind;
	/** Seconds since the run began. */
	at: number;
	/** The duration of the fault, or the time until a killed process is started again. */
	seconds: number;
	/** Index of the runner; null where the fault is not a runner's. */
	runner: number | null;
	/** Selects one of the recordings that run at that time, as a number from 0 up to 1. */
	choice: number;
}

/**
 * The starter of a job: a call of the API, `tapedeck record` next to the runner, the runner itself, or `tapedeck run` with a browser on
 * a display that the runner lends.
 */
export const ORIGINS = ["dashboard", "command", "auto-record", "worker"] as const;
export type Origin = (typeof ORIGINS)[number];

export interface PlannedJob {
	origin: Origin;
	/** Seconds after the one before it in its slot. */
	pause: number;
	runner: number;
	display: number;
	stopCondition: StopCondition;
	/** The length of the recording in seconds. Its condition ends it then, or a cancel if it has no condition. */
	seconds: number;
	/** Seconds after its creation, or share of `seconds` that is recorded, when it is cancelled before its end. */
	cancel: { afterCreation: number } | { share: number } | null;
	/** `selenium_idle`: for how long the grid has no session in the middle; never long enough to end it. */
	gridGap: number;
}

export interface Plan {
	seed: number;
	minutes: number;
	faults: PlannedFault[];
	/** Jobs that follow each other, slot by slot: no more run at once than there are slots. */
	slots: PlannedJob[][];
}

export interface PlanOptions {
	seed: number;
	minutes: number;
	runners: number;
	displays: number;
	/** The kinds of fault that are possible on this machine. */
	kinds: readonly FaultKind[];
	/** Runners whose disk can be filled. */
	smallDisks: readonly number[];
}

/** Parallel jobs, in addition to the recording that auto-record makes all the time. */
const SLOTS = 3;
/** Every third of the jobs that `tapedeck record` can start is started by it. */
const EVERY_COMMAND = 3;
/** Recordings are under way before the first fault, and after the last one they go on for a while. */
const BEFORE_SECONDS = 8;
const AFTER_SECONDS = 12;
const SHORTEST_GAP_SECONDS = 4;
const MEAN_GAP_SECONDS = 25;

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** The longest that a fault of a kind lasts, in seconds. */
function longest(kind: FaultKind, minutes: number): number {
	switch (kind) {
		case "kill_ffmpeg":
		case "kill_xvfb":
		case "kill_browser":
			return 0;
		case "freeze_ffmpeg":
			return 12;
		case "pause_runner_and_ffmpeg":
			return 15;
		case "kill_runner":
		case "kill_runner_and_ffmpeg":
		case "terminate_runner":
			return within(minutes * 2, 3, 20);
		case "kill_dashboard":
		case "terminate_dashboard":
			return within(minutes * 3, 3, 30);
		case "fill_runner_disk":
			return within(minutes, 3, 15);
		default:
			return within(minutes * 4, 5, 120);
	}
}

function shortest(kind: FaultKind): number {
	if (kind === "kill_ffmpeg" || kind === "kill_xvfb" || kind === "kill_browser") return 0;
	if (kind === "freeze_ffmpeg") return 12;
	if (kind === "pause_runner_and_ffmpeg") return 11;
	return /^(kill|terminate)_/.test(kind) ? 0.5 : 3;
}

function drawFaults(random: Random, kinds: readonly FaultKind[], options: PlanOptions): PlannedFault[] {
	const faults: PlannedFault[] = [];
	const end = options.minutes * 60 - AFTER_SECONDS;
	let at = BEFORE_SECONDS;
	if (kinds.length === 0) return faults;
	for (;;) {
		// Every kind once, in any order; then every kind again.
		const deck = random.shuffled(kinds).map((kind) => {
			const least = shortest(kind);
			const seconds = least + random.next() * Math.max(0, longest(kind, options.minutes) - least);
			const runner =
				kind === "fill_runner_disk" ? random.pick(options.smallDisks) : random.whole(0, options.runners - 1);
			return { kind, seconds, runner: DASHBOARD_FAULTS.includes(kind) ? null : runner, choice: random.next() };
		});
		const busy = deck.reduce((sum, { seconds }) => sum + seconds, 0);
		// The first deck fits, however short the run: the gaps give way, down to nothing.
		const spare = (end - at - busy) / deck.length;
		const mean = faults.length === 0 ? within(spare, 0, MEAN_GAP_SECONDS) : MEAN_GAP_SECONDS;
		for (const fault of deck) {
			if (faults.length >= kinds.length && at + fault.seconds > end) return faults;
			faults.push({ ...fault, at });
			at += fault.seconds + Math.max(Math.min(SHORTEST_GAP_SECONDS, mean), mean * (0.4 + random.next() * 0.6));
		}
	}
}

function drawCancel(random: Random, condition: StopCondition): PlannedJob["cancel"] {
	if (random.chance(0.1)) return { afterCreation: random.next() * 3 };
	if (condition !== "interrupt" && random.chance(0.2)) return { share: 0.2 + random.next() * 0.6 };
	return null;
}

/** Without `selenium_session`: the sessions of a plan last as long as their job, not the other way round. */
const CONDITIONS = ["duration", "interrupt", "selenium_idle"] as const satisfies StopCondition[];

function drawSlot(random: Random, options: PlanOptions): PlannedJob[] {
	const jobs: PlannedJob[] = [];
	const most = within(Math.round(options.minutes * 8), 12, 150);
	let conditions: (typeof CONDITIONS)[number][] = [];
	let commands = random.whole(0, EVERY_COMMAND - 1);
	for (let planned = 0; planned < options.minutes * 60; planned += (jobs.at(-1)?.seconds ?? 0) + 1) {
		if (conditions.length === 0) conditions = random.shuffled(CONDITIONS);
		const stopCondition = conditions.pop() as (typeof CONDITIONS)[number];
		// The command knows no grids.
		if (stopCondition !== "selenium_idle") commands += 1;
		jobs.push({
			origin: stopCondition !== "selenium_idle" && commands % EVERY_COMMAND === 0 ? "command" : "dashboard",
			pause: random.next() * 2,
			runner: random.whole(0, options.runners - 1),
			display: random.whole(0, options.displays - 1),
			stopCondition,
			seconds: random.whole(6, most),
			cancel: drawCancel(random, stopCondition),
			gridGap: stopCondition === "selenium_idle" && random.chance(0.5) ? 1 + random.next() * 2 : 0,
		});
	}
	return jobs;
}

export function drawPlan(options: PlanOptions): Plan {
	const random = randomFrom(options.seed);
	const possible = (kind: FaultKind) => options.kinds.includes(kind);
	const lanes = LANES.map((kinds) =>
		drawFaults(random.branch(), (kinds as readonly FaultKind[]).filter(possible), options),
	);
	const slots = Array.from({ length: SLOTS }, () => drawSlot(random.branch(), options));
	const faults = lanes.flat().sort((a, b) => a.at - b.at);
	return { seed: options.seed, minutes: options.minutes, faults, slots };
}
