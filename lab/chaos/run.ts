/** `npm run chaos -- [--minutes N] [--seed S] [--write]`: injects random faults and checks that nothing is lost beyond the rules. */
import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { describeRun } from "#lab/bench/machine.ts";
import { CHAOS, writeResults } from "#lab/bench/results.ts";
import { root } from "#test/stack.ts";
import { capturesOf } from "./captures.ts";
import { checkAutoRecord } from "./check-auto-record.ts";
import { checkRun } from "./check-run.ts";
import { JobDriver } from "./drive-jobs.ts";
import { Injector } from "./inject.ts";
import { leftInDashboard, leftInRunners, leftRunning, settled } from "./leftovers.ts";
import { drawPlan, FAULT_KINDS, type FaultKind } from "./plan.ts";
import { closingLine, details, problemsOf, type RunReport } from "./report.ts";
import type { RunRecord } from "./run-record.ts";
import { leftOfDisplays, Workers } from "./workers.ts";
import { AUTO_RECORD_RUNNER, DISPLAYS, openWorld, RUNNERS, SMALL_DISK_RUNNER, type World } from "./world.ts";

/** The maximum time for the last jobs to end once all faults are over. */
const SETTLE_MS = 60_000;
const POLL_MS = 1_000;

const MOST_MINUTES = 240;
const MOST_SEED = 2 ** 31 - 1;

const { minutes, seed, keep, write: wanted } = readArguments(process.argv.slice(2));
const run = wanted ? describeRun() : null;
/** Aborted when the run is cancelled: by a signal, or because it cannot continue. */
const cancelled = new AbortController();
let interrupted = false;
let world: World | null = null;

for (const signal of ["SIGINT", "SIGTERM"] as const) {
	process.once(signal, () => {
		process.stdout.write(`\n${signal}: ending everything.\n`);
		interrupted = true;
		cancelled.abort();
	});
}

await promisify(execFile)(process.execPath, ["bin/setup/build.mjs"], { cwd: root });
const evidence = await mkdtemp(join(tmpdir(), "tapedeck-chaos-"));
process.exitCode = 1;
try {
	world = await openWorld(evidence, minutes, cancelled.signal);
	const report = await perform(world);
	for (const line of details(report)) console.log(line);
	const wrong = problemsOf(report).length > 0;
	if (wrong || keep) console.log(`Logs, plan, jobs and the videos that are wrong are in ${evidence}`);
	else await rm(evidence, { recursive: true, force: true });
	console.log(closingLine(report));
	if (run !== null) await writeResults({ [CHAOS]: { measured: closingLine(report), holds: !wrong, run } });
	process.exitCode = wrong ? 1 : 0;
} catch (error) {
	await world?.close();
	if (interrupted) await rm(evidence, { recursive: true, force: true });
	else console.error(`${(error as Error).stack}\nThe logs are in ${evidence}`);
}

async function perform(stage: World): Promise<RunReport> {
	const plan = drawPlan({
		...{ seed, minutes, runners: RUNNERS, displays: DISPLAYS, smallDisks: [SMALL_DISK_RUNNER] },
		kinds: await possibleFaults(stage),
	});
	await writeFile(join(evidence, "plan.json"), JSON.stringify(plan, null, "\t"));
	stage.say(`seed ${seed}, ${minutes} min: ${plan.faults.length} faults are planned`);
	const begun = stage.now();
	// The plan counts from the moment when everything stands.
	const faults = plan.faults.map((fault) => ({ ...fault, at: fault.at + begun / 1_000 }));
	const over = new AbortController();
	const stop = () => over.abort();
	cancelled.signal.addEventListener("abort", stop);
	const timer = setTimeout(stop, minutes * 60_000);
	const workers = new Workers(stage, over.signal);
	const injector = new Injector(stage, workers, over.signal);
	const driver = new JobDriver(stage, over.signal);
	try {
		await together([injector.run(faults), driver.run(plan.slots), workers.run()]);
		cancelled.signal.throwIfAborted();
		stage.say("no more faults; everything is repaired");
		const unexpected = await settle(stage, driver, workers);
		const { faults: injected, wrong } = injector.injected;
		const left = await settled(() => [...leftInRunners(stage), ...leftInDashboard(stage)]);
		const painted = stage.displays.map((display) => display.painted);
		const record: RunRecord = { epoch: stage.epoch, faults: injected, jobs: driver.jobs, painted };
		stage.say(`checking ${driver.jobs.length} jobs`);
		const jobs = await checkRun(stage, record);
		const messages = await wrongsOfEvents(stage);
		const gaps = checkAutoRecord(
			driver.jobs.filter(({ plan: { origin } }) => origin === "auto-record"),
			injected.filter(({ runner }) => runner === AUTO_RECORD_RUNNER),
			stage.epoch,
		);
		const crashes = [stage.dashboard, ...stage.runners.map(({ program }) => program)].flatMap(
			({ name, crashes: all }) => all.map((how) => `${name} ${how}`),
		);
		await writeEvidence(stage, record);
		await keepDirectories(stage);
		await stage.close();
		const running = [...(await leftRunning(evidence)), ...(await settled(() => leftOfDisplays(workers.displays)))];
		return {
			minutes,
			seed,
			faults: injected,
			jobs,
			wrong: [...wrong, ...workers.wrong, ...unexpected, ...messages, ...gaps, ...crashes, ...left, ...running],
		};
	} finally {
		clearTimeout(timer);
		over.abort();
		await driver.close();
	}
}

/** Waits for both; when one fails, the other is ended first, so that nothing is started while everything is being stopped. */
async function together(tasks: readonly Promise<void>[]): Promise<void> {
	for (const task of tasks) task.catch(() => cancelled.abort());
	const failed = (await Promise.allSettled(tasks)).find((task) => task.status === "rejected");
	if (failed !== undefined) throw failed.reason;
}

async function possibleFaults(stage: World): Promise<FaultKind[]> {
	const disks = stage.runners[SMALL_DISK_RUNNER]?.disk !== null;
	const guards = stage.dashboardDisk !== null && (await stage.client.guardsDisk());
	if (!disks) stage.say("no disk is filled: only root may mount small ones");
	else if (!guards) stage.say("the dashboard's disk is not filled: it has no reserve");
	return FAULT_KINDS.filter(
		(kind) => (kind !== "fill_runner_disk" || disks) && (kind !== "fill_dashboard_disk" || guards),
	);
}

/** Waits until every job has ended and is stored. @returns faults: missing jobs, and jobs that were not requested. */
async function settle(stage: World, driver: JobDriver, workers: Workers): Promise<string[]> {
	const deadline = performance.now() + SETTLE_MS;
	for (;;) {
		const reported = await stage.client.jobs();
		driver.adopt(reported, workers);
		for (const job of driver.jobs) job.final = reported.find(({ id }) => id === job.id) ?? null;
		await driver.endAdopted();
		const over = driver.jobs.every(
			({ final }) => final !== null && isEnded(final.status) && final.recording?.state !== "live",
		);
		// A recording that a runner began by itself may not be a job yet.
		const capturing = stage.runners.some(({ dataDir }) => capturesOf(dataDir).length > 0);
		if ((over && !capturing && driver.autoRecordEnded()) || performance.now() > deadline) {
			const known = new Set(driver.jobs.map(({ id }) => id));
			const recordings = await stage.client.recordings();
			return [
				...reported.filter(({ id }) => !known.has(id)).map(({ id }) => `job ${id} exists, and nobody asked for it`),
				...recordings
					.filter(({ jobId }) => jobId === null || !known.has(jobId))
					.map(({ id }) => `recording ${id} belongs to no job`),
				...driver.lostCommands().map((name) => `tapedeck record began "${name}", and its job is missing`),
				...(driver.autoRecordEnded() ? [] : ["auto-record did not record after the last fault"]),
			];
		}
		await sleep(POLL_MS, undefined, { signal: cancelled.signal });
	}
}

/** Webhooks that are missing or out of order. */
async function wrongsOfEvents({ client, receiver, say }: World): Promise<string[]> {
	if (receiver === null) return ["nothing receives webhooks"];
	const problems = await receiver.problems((...call) => client.call(...call), await client.jobs());
	say(`${receiver.count} webhooks have arrived`);
	return problems;
}

async function writeEvidence(stage: World, record: RunRecord): Promise<void> {
	const events = Object.fromEntries(
		await Promise.all(record.jobs.map(async ({ id }) => [id, await stage.client.events(id).catch(() => [])] as const)),
	);
	const { painted: _painted, ...rest } = record;
	await writeFile(join(evidence, "record.json"), JSON.stringify({ ...rest, events }, null, "\t"));
}

/** Copies the data directories, which may be on disks that are about to be unmounted. */
async function keepDirectories(stage: World): Promise<void> {
	for (const { program, dataDir } of stage.runners) {
		const kept = (path: string) => !/\.(sock|mp4)$/.test(path);
		await cp(dataDir, join(evidence, "kept", program.name), { recursive: true, filter: kept }).catch(() => undefined);
	}
}

interface Arguments {
	minutes: number;
	seed: number;
	/** Keeps the folder of evidence even when nothing is wrong. */
	keep: boolean;
	/** Keeps the last line, and writes it into RESULTS.md and docs/figures.md. */
	write: boolean;
}

/** @throws an Error with the valid arguments. */
function readArguments(args: readonly string[]): Arguments {
	const { values } = parseArgs({
		args: [...args],
		options: {
			minutes: { type: "string" },
			seed: { type: "string" },
			keep: { type: "boolean" },
			write: { type: "boolean" },
		},
	});
	const minutes = Number(values.minutes ?? 3);
	if (!(minutes >= 1 && minutes <= MOST_MINUTES)) throw new Error(`Set --minutes to 1 to ${MOST_MINUTES}.`);
	const seed = values.seed === undefined ? randomInt(MOST_SEED) : Number(values.seed);
	if (!Number.isInteger(seed) || seed < 0 || seed > MOST_SEED) {
		throw new Error(`Set --seed to a whole number from 0 to ${MOST_SEED}.`);
	}
	return { minutes, seed, keep: values.keep ?? false, write: values.write ?? false };
}
