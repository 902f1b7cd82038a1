/** Injects the planned faults into the world, and records them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { TcpProxy } from "#test/servers/tcp-proxy.ts";
import { type Capture, capturesOf, describeJob, signal } from "./captures.ts";
import { type FaultKind, LANES, type PlannedFault } from "./plan.ts";
import { LEAVE_WITHIN } from "./rules.ts";
import { AHEAD_MS, type Fault, type SpooledJob } from "./run-record.ts";
import { startDashboard } from "./services.ts";
import type { Workers } from "./workers.ts";
import { RESERVE_MB, type RunnerNode, type World } from "./world.ts";

/** A capture that has written that much has frames. */
const BEGUN_BYTES = 4_000;
/** The maximum wait for a recording to strike. */
const TARGET_MS = 8_000;
const REFILL_MS = 250;
/** Recordings that are in the trash at a time. */
const MOST_DELETED = 5;
/** The maximum time until the dashboard trusts a clock that was set back. It checks every 10 s. */
const CLOCK_NOTICED_MS = 30_000;
const POLL_MS = 100;
/** New connections of a network that resets or half-closes live no longer. */
const STRIKE_MS = 700;

const NETWORK_FAULTS = {
	stall: (network: TcpProxy) => network.stall(),
	drop: (network: TcpProxy) => network.drop(),
	reset: (network: TcpProxy) => network.reset(),
	half_close: (network: TcpProxy) => network.halfClose("client"),
};

export interface Injected {
	faults: Fault[];
	/** Rules that were broken while faults were injected, one sentence each. */
	wrong: string[];
}

export class Injector {
	readonly #world: World;
	readonly #workers: Workers;
	readonly #over: AbortSignal;
	readonly injected: Injected = { faults: [], wrong: [] };

	/** @param over aborted when no more faults are wanted: what lasts is ended and repaired. */
	constructor(world: World, workers: Workers, over: AbortSignal) {
		this.#world = world;
		this.#workers = workers;
		this.#over = over;
	}

	/** Runs the lanes side by side. Resolves when everything is repaired. */
	async run(faults: readonly PlannedFault[]): Promise<void> {
		await Promise.all(
			LANES.map((kinds: readonly FaultKind[]) => this.#lane(faults.filter(({ kind }) => kinds.includes(kind)))),
		);
	}

	async #lane(faults: readonly PlannedFault[]): Promise<void> {
		for (const fault of faults) {
			await this.#pause(fault.at * 1_000 - this.#world.now());
			if (this.#over.aborted) return;
			await this.#inject(fault);
		}
	}

	/** Ends early when no more faults are wanted. */
	async #pause(ms: number): Promise<void> {
		if (ms > 0) await sleep(ms, undefined, { signal: this.#over }).catch(() => undefined);
	}

	async #inject(planned: PlannedFault): Promise<void> {
		const { runners } = this.#world;
		const node = runners[planned.runner ?? 0];
		if (node === undefined) throw new Error(`The plan names runner ${planned.runner}.`);
		const ms = planned.seconds * 1_000;
		switch (planned.kind) {
			case "kill_ffmpeg":
			case "freeze_ffmpeg":
				return this.#strikeOne(planned);
			case "kill_xvfb":
			case "kill_browser":
				return this.#strikeWorker(planned, planned.kind === "kill_xvfb" ? "Xvfb" : "browser");
			case "kill_runner":
				return this.#killRunner(planned, node, false);
			case "kill_runner_and_ffmpeg":
				return this.#killRunner(planned, node, true);
			case "terminate_runner":
				return this.#terminate(planned, node);
			case "pause_runner_and_ffmpeg":
				return this.#pauseRunner(planned);
			case "fill_runner_disk":
				return this.#fillRunnerDisk(planned, node);
			case "fill_dashboard_disk": {
				const leave = (RESERVE_MB / 2) * 2 ** 20;
				const fault = this.#begin(planned, []);
				await this.#keepFilled(ms, () => this.#world.dashboardDisk?.fill(leave));
				await this.#world.dashboardDisk?.empty();
				return this.#end(fault);
			}
			case "kill_dashboard":
				return this.#restartDashboard(planned, () => this.#world.dashboard.kill());
			case "terminate_dashboard":
				return this.#restartDashboard(planned, async () => {
					const how = await this.#world.dashboard.terminate();
					if (how !== "ended with status 0") this.injected.wrong.push(`the dashboard ${how} after SIGTERM`);
				});
			case "delete_recordings":
				return this.#whileDeleted(planned, () => this.#pause(ms));
			case "set_clock_ahead":
				return this.#whileDeleted(planned, async () => {
					await this.#world.clock.set(AHEAD_MS / 1_000);
					await this.#pause(ms);
					await this.#world.clock.set(0);
				});
			default:
				return this.#breakNetwork(planned, node, planned.kind);
		}
	}

	async #restartDashboard(planned: PlannedFault, stop: () => Promise<void>): Promise<void> {
		const { dashboard, url } = this.#world;
		const fault = this.#begin(planned, []);
		await stop();
		await this.#pause(planned.seconds * 1_000);
		await startDashboard(dashboard, url);
		this.#end(fault);
	}

	/** Moves some recordings to the trash, restores them afterwards, and waits until retention trusts the clock. */
	async #whileDeleted(planned: PlannedFault, act: () => Promise<void>): Promise<void> {
		const { client } = this.#world;
		const complete = (await client.recordings()).filter(({ state }) => state === "ready");
		const from = Math.floor(planned.choice * complete.length);
		const deleted = complete.slice(from, from + MOST_DELETED);
		const fault = this.#begin(planned, []);
		for (const { id } of deleted) await client.deleteRecording(id);
		await act();
		const deadline = performance.now() + CLOCK_NOTICED_MS;
		while ((await client.retention()).clockJump !== null && performance.now() < deadline) await sleep(POLL_MS);
		if (performance.now() > deadline) this.injected.wrong.push("retention did not see that the clock is right again");
		for (const { id } of deleted) {
			await client
				.restoreRecording(id)
				.catch((error: Error) => this.injected.wrong.push(`recording ${id} was not restored: ${error.message}`));
		}
		this.#end(fault);
	}

	#begin({ kind, runner, seconds }: PlannedFault, struck: SpooledJob[]): Fault {
		const fault: Fault = { kind, runner, from: this.#world.now(), to: Infinity, struck };
		this.injected.faults.push(fault);
		const where = runner === null ? "" : ` ${this.#world.runners[runner]?.program.name}`;
		const whom = struck.length === 0 ? "" : `, recording ${struck.map(describeJob).join(", ")}`;
		this.#world.say(`${kind}${where}${whom}${seconds > 0 ? `, for ${seconds.toFixed(1)} s` : ""}`);
		return fault;
	}

	#end(fault: Fault): void {
		fault.to = this.#world.now();
		if (fault.to - fault.from > POLL_MS) this.#world.say(`${fault.kind} is over`);
	}

	/** Recordings that are under way; waits for some. */
	async #targets(runners: readonly number[]): Promise<{ runner: number; capture: Capture }[]> {
		const deadline = performance.now() + TARGET_MS;
		for (;;) {
			const found = runners.flatMap((runner) => {
				const captures = capturesOf(this.#world.runners[runner]?.dataDir ?? "");
				return captures.filter(({ bytes }) => bytes > BEGUN_BYTES).map((capture) => ({ runner, capture }));
			});
			if (found.length > 0 || performance.now() > deadline || this.#over.aborted) return found;
			await this.#pause(POLL_MS);
		}
	}

	async #strikeOne(planned: PlannedFault): Promise<void> {
		const everyone = [...this.#world.runners.keys()];
		const found = await this.#targets(everyone);
		const wanted = found.filter(({ runner }) => runner === planned.runner);
		const choices = wanted.length > 0 ? wanted : found;
		const target = choices[Math.floor(planned.choice * choices.length)];
		if (target === undefined) return this.#world.say(`${planned.kind}: nothing is recorded at this moment`);
		const { pid, job } = target.capture;
		const fault = this.#begin({ ...planned, runner: target.runner }, [job]);
		if (planned.kind === "kill_ffmpeg") {
			signal(pid, "SIGKILL");
			return this.#end(fault);
		}
		signal(pid, "SIGSTOP");
		const dataDir = this.#world.runners[target.runner]?.dataDir ?? "";
		const until = performance.now() + planned.seconds * 1_000;
		while (performance.now() < until && capturesOf(dataDir).some((capture) => capture.pid === pid))
			await sleep(POLL_MS);
		// An ffmpeg whose runner was killed before is an orphan: it stays a zombie until the machine's first process reaps
		// it.
		if (capturesOf(dataDir).some((capture) => capture.pid === pid) && signal(pid, "SIGCONT"))
			this.injected.wrong.push(`the hung ffmpeg of ${describeJob(job)} was not ended`);
		this.#end(fault);
	}

	async #strikeWorker(planned: PlannedFault, what: "Xvfb" | "browser"): Promise<void> {
		const deadline = performance.now() + TARGET_MS;
		let target = this.#workers.target(what);
		while (target === null && performance.now() < deadline && !this.#over.aborted) {
			await this.#pause(POLL_MS);
			target = this.#workers.target(what);
		}
		if (target === null) return this.#world.say(`${planned.kind}: no worker is recorded at this moment`);
		const fault = this.#begin({ ...planned, runner: target.runner }, [target.job]);
		signal(target.pid, "SIGKILL");
		this.#end(fault);
	}

	async #killRunner(planned: PlannedFault, node: RunnerNode, ffmpegToo: boolean): Promise<void> {
		await this.#targets([planned.runner ?? 0]);
		const struck = ffmpegToo ? capturesOf(node.dataDir).map(({ job }) => job) : [];
		const fault = this.#begin(planned, struck);
		const killed = node.program.kill();
		if (ffmpegToo) fault.struck = await killCaptures(node.dataDir, killed);
		await killed;
		await this.#pause(planned.seconds * 1_000);
		node.program.start();
		this.#end(fault);
	}

	/** Simulates that the whole machine stands still: neither the runner nor its ffmpegs run. */
	async #pauseRunner(planned: PlannedFault): Promise<void> {
		const { runners } = this.#world;
		const found = await this.#targets([...runners.keys()]);
		const { runner } = found.find((target) => target.runner === planned.runner) ?? found[0] ?? {};
		const node = runners[runner ?? -1];
		const pid = node?.program.pid ?? null;
		if (node === undefined || pid === null)
			return this.#world.say(`${planned.kind}: nothing is recorded at this moment`);
		// The runner first: it must not see an ffmpeg that hangs, nor start another one.
		signal(pid, "SIGSTOP");
		const captures = capturesOf(node.dataDir);
		for (const capture of captures) signal(capture.pid, "SIGSTOP");
		const jobs = captures.map(({ job }) => job);
		const fault = this.#begin({ ...planned, runner: runner ?? null }, jobs);
		await this.#pause(planned.seconds * 1_000);
		for (const capture of captures) signal(capture.pid, "SIGCONT");
		signal(pid, "SIGCONT");
		this.#end(fault);
	}

	async #terminate(planned: PlannedFault, node: RunnerNode): Promise<void> {
		await this.#targets([planned.runner ?? 0]);
		const jobs = () => capturesOf(node.dataDir).map(({ job }) => job);
		const fault = this.#begin(planned, jobs());
		const ended = node.program.terminate();
		fault.struck = distinct([...fault.struck, ...jobs()]);
		const how = await ended;
		const took = this.#world.now() - fault.from;
		if (how !== "ended with status 0" || took > LEAVE_WITHIN) {
			this.injected.wrong.push(`${node.program.name} ${how} ${(took / 1_000).toFixed(1)} s after SIGTERM`);
		}
		await this.#pause(planned.seconds * 1_000);
		node.program.start();
		this.#end(fault);
	}

	async #fillRunnerDisk(planned: PlannedFault, node: RunnerNode): Promise<void> {
		await this.#targets([planned.runner ?? 0]);
		const fault = this.#begin(planned, []);
		await this.#keepFilled(planned.seconds * 1_000, async () => {
			const jobs = capturesOf(node.dataDir).map(({ job }) => job);
			fault.struck = distinct([...fault.struck, ...jobs]);
			await node.disk?.fill(0);
		});
		await node.disk?.empty();
		this.#end(fault);
	}

	/** Fills space that is freed in the meantime again. */
	async #keepFilled(ms: number, fill: () => Promise<void> | undefined): Promise<void> {
		const until = performance.now() + ms;
		while (performance.now() < until && !this.#over.aborted) {
			await fill();
			await this.#pause(REFILL_MS);
		}
	}

	async #breakNetwork(
		planned: PlannedFault,
		{ network }: RunnerNode,
		kind: keyof typeof NETWORK_FAULTS,
	): Promise<void> {
		const fault = this.#begin(planned, []);
		const until = performance.now() + planned.seconds * 1_000;
		while (performance.now() < until && !this.#over.aborted) {
			NETWORK_FAULTS[kind](network);
			await this.#pause(STRIKE_MS);
		}
		network.resume();
		this.#end(fault);
	}
}

/** Kills every ffmpeg of a dying runner, those included that it starts until it is dead. @returns their jobs. */
async function killCaptures(dataDir: string, dead: Promise<void>): Promise<SpooledJob[]> {
	const struck: SpooledJob[] = [];
	const strike = () => {
		const captures = capturesOf(dataDir);
		for (const { pid, job } of captures) if (signal(pid, "SIGKILL")) struck.push(job);
		return captures.length;
	};
	strike();
	await dead;
	while (strike() > 0) await sleep(5);
	return distinct(struck);
}

const distinct = (jobs: readonly SpooledJob[]): SpooledJob[] => [
	...new Map(jobs.map((job) => [JSON.stringify(job), job])).values(),
];
