/** Workers of tests: commands with a browser on a display that a runner lends, recorded by `tapedeck run`. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, startChild } from "#test/processes/child.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { root } from "#test/stack.ts";
import { capturesOf, processesIn, signal } from "./captures.ts";
import type { PlannedJob } from "./plan.ts";
import type { SpooledJob } from "./run-record.ts";
import { runnerEnvironment } from "./services.ts";
import { temporaryOf, type World } from "./world.ts";

/** For as long, a worker shows its page. */
const SHOWN_MS = 15_000;
const BETWEEN_MS = 1_000;
/** The maximum time for a command to end after its browser, including a runner or a dashboard that is away. */
const ENDED_MS = 90_000;
const POLL_MS = 100;
/** A page that changes all the time. */
const PAGE = `data:text/html,<script>setInterval(() => (document.body.style.background = "hsl(" + Date.now() / 20 % 360 + " 80% 50%)"), 100)</script>`;

export class Workers {
	/** One sentence each. */
	readonly wrong: string[] = [];
	/** The displays that workers were shown on. */
	readonly displays = new Set<string>();
	readonly #world: World;
	readonly #over: AbortSignal;
	readonly #plans = new Map<string, PlannedJob>();
	#current: { name: string; runner: number; profile: string } | null = null;

	constructor(world: World, over: AbortSignal) {
		this.#world = world;
		this.#over = over;
	}

	/** Works on the runners in turn until the run is over. */
	async run(): Promise<void> {
		for (let number = 1; !this.#over.aborted; number += 1) {
			await this.#work(number);
			await sleep(BETWEEN_MS, undefined, { signal: this.#over }).catch(() => undefined);
		}
	}

	/** The plan of a job that a worker has started. */
	planOf(name: string): PlannedJob | undefined {
		return this.#plans.get(name);
	}

	/** @returns the X server or the browser of the worker that is recorded; null if there is none. */
	target(what: "Xvfb" | "browser"): { pid: number; runner: number; job: SpooledJob } | null {
		if (this.#current === null) return null;
		const { name, runner, profile } = this.#current;
		const captures = capturesOf(this.#world.runners[runner]?.dataDir ?? "");
		const job = captures.find(({ job: each }) => typeof each === "object" && each.name === name)?.job;
		if (job === undefined) return null;
		const found =
			what === "browser"
				? browserOf(profile)
				: processesIn(temporaryOf(this.#world.evidence)).find(({ command }) => command.startsWith("Xvfb :"));
		return found === undefined ? null : { pid: found.pid, runner, job };
	}

	async #work(number: number): Promise<void> {
		const { evidence, runners, say } = this.#world;
		const runner = number % runners.length;
		const name = `worker ${number}`;
		const profile = join(evidence, `worker-${number}`);
		await mkdir(profile);
		this.#plans.set(name, {
			...{ origin: "worker", runner, display: 0, stopCondition: "interrupt", pause: 0, seconds: 0 },
			...{ cancel: null, gridGap: 0 },
		});
		const flags = [
			"--no-sandbox",
			"--no-first-run",
			"--disable-gpu",
			"--disable-dev-shm-usage",
			"--ozone-platform=x11",
		];
		const browser = [requireProgram("chromium"), ...flags, `--user-data-dir=${profile}`, `--app=${PAGE}`];
		const dataDir = runners[runner]?.dataDir ?? "";
		const words = ["run", "--data-dir", dataDir, "--new-display", "640x480", "--name", name, "--", ...browser];
		const command = startChild(process.execPath, [join(root, "runner", "cli.ts"), ...words], {
			cwd: root,
			env: { ...runnerEnvironment(), TMPDIR: temporaryOf(evidence) },
		});
		this.#current = { name, runner, profile };
		let display: string | null = null;
		const until = performance.now() + SHOWN_MS;
		let status: number | string | null = null;
		void command.exited.then((how) => {
			status = how;
		});
		while (status === null && performance.now() < until && !this.#over.aborted) {
			display ??= displayOf(profile);
			await sleep(POLL_MS);
		}
		if (display !== null) this.displays.add(display);
		this.#current = null;
		const asked = performance.now();
		// The browser may not have been started yet.
		while (status === null && performance.now() < asked + ENDED_MS) {
			const running = browserOf(profile);
			if (running !== undefined) signal(running.pid, "SIGTERM");
			await sleep(POLL_MS);
		}
		if (status === null) {
			this.wrong.push(`${name}: tapedeck run has not ended ${ENDED_MS / 1_000} s after its browser`);
			await command.stop();
		}
		say(`${name} on ${runners[runner]?.program.name} ${display ?? "without a display"}: ended with ${status}`);
		await rm(profile, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** The main process of a browser, without its children. */
const browserOf = (profile: string) =>
	processesIn(profile).find(
		({ command }) => command.includes("/chromium") && !/ --type=|runner\/cli\.ts|crashpad/.test(command),
	);

/** The DISPLAY of the browser; null if it does not run. */
function displayOf(profile: string): string | null {
	const browser = browserOf(profile);
	if (browser === undefined) return null;
	try {
		const variables = readFileSync(`/proc/${browser.pid}/environ`, "latin1").split("\0");
		return variables.find((variable) => variable.startsWith("DISPLAY="))?.slice("DISPLAY=".length) ?? null;
	} catch {
		return null;
	}
}

/** @returns one sentence for each display whose lock names an X server that has ended. */
export const leftOfDisplays = (displays: ReadonlySet<string>): string[] =>
	[...displays].flatMap((id) => {
		const lock = `/tmp/.X${id.slice(1)}-lock`;
		if (!existsSync(lock)) return [];
		const pid = Number(readFileSync(lock, "latin1"));
		return isRunning(pid) ? [] : [`${lock} is left of an X server that has ended`];
	});
