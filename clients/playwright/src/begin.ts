/**
 * A program that begins the recordings of a run: reads a list of Beginning from its standard input, and answers with the jobs on a
 * pipe of its own as soon as the first frame is captured. It is a program because Playwright does not wait for what a reporter does at the
 * beginning, so that the reporter has to stand still until this has ended.
 */
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { type Job, type RecordOptions, type Runner, Tapedeck } from "@tapedeck/client";
import { opens } from "./open-display.ts";
import { ANSWER_FD, type Beginning, type Begun, type NotBegun } from "./options.ts";

/** Maximum time until the first bytes reach the dashboard after the first frame. */
const STORED_MS = 5_000;
const POLL_MS = 100;
/** Instead of a display: its runner makes one. */
const NEW_DISPLAY = "new";

const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stopped.abort(new Error("it was interrupted")));
// The run was killed while it waited.
const { ppid } = process;
setInterval(() => process.ppid !== ppid && stopped.abort(new Error("the run has ended")), POLL_MS).unref();

class WithoutRunner extends Error {}

try {
	const beginnings: Beginning[] = JSON.parse(await text(process.stdin));
	answer(await beginAll(beginnings));
} catch (error) {
	const isWithoutRunner = error instanceof WithoutRunner;
	answer({ error: error instanceof Error ? error.message : String(error), isWithoutRunner });
}

function answer(text: Begun[] | NotBegun): void {
	writeFileSync(ANSWER_FD, JSON.stringify(text));
}

/** Begins all or none. */
async function beginAll(beginnings: readonly Beginning[]): Promise<Begun[]> {
	const results = await Promise.allSettled(beginnings.map(begin));
	const failed = results.find((result) => result.status === "rejected");
	const begun = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
	if (failed === undefined) return begun;
	const { url, apiKey } = beginnings[0] as Beginning;
	const client = new Tapedeck({ url, apiKey, retries: 2 });
	await Promise.allSettled(begun.map(({ job }) => client.jobs.cancel(job.id)));
	throw failed.reason;
}

async function begin(beginning: Beginning): Promise<Begun> {
	const { url, apiKey, jobId, startTimeoutSeconds } = beginning;
	const client = new Tapedeck({ url, apiKey, retries: 2 });
	const late = AbortSignal.timeout(startTimeoutSeconds * 1_000);
	const signal = AbortSignal.any([late, stopped.signal]);
	try {
		if (jobId !== undefined) return await begun(client, await client.jobs.wait(jobId, "recording", { signal }));
		const recording = await client.record({ ...(await orderOf(client, beginning, signal)), signal });
		const { displayId } = recording.job;
		if (beginning.displayId === NEW_DISPLAY && !(await opens(displayId))) {
			await recording.end();
			throw new Error(
				`programs of this user cannot open ${displayId}. The runner has to run as the same user on this machine.`,
			);
		}
		const answer = await begun(client, recording.job);
		// The reporter ends it.
		recording.detach();
		return answer;
	} catch (error) {
		if (!late.aborted) throw error;
		throw new Error(
			`Nothing was recorded within ${startTimeoutSeconds} s. Check that the runner is online, and that ${url ?? process.env.TAPEDECK_URL} responds.`,
		);
	}
}

async function orderOf(client: Tapedeck, beginning: Beginning, signal: AbortSignal): Promise<RecordOptions> {
	const { displayId, display, selector, name, labels, keep, video, maxDurationSeconds } = beginning;
	// The run's result decides: a test that failed may pass on its retry.
	const settings = { name, labels, keep, video, display, maxDurationSeconds, outcomeExpected: true };
	if (selector !== undefined) return { ...settings, selector };
	if (displayId === undefined) throw new Error("There is no display to record: set displayId, or DISPLAY.");
	return { ...settings, displayId, runnerId: await runnerOf(client, beginning, displayId, signal) };
}

/** The runner of this machine: another machine can have a display of the same number. */
async function runnerOf(
	client: Tapedeck,
	{ runner, isAuto, displaysNeeded = 1 }: Beginning,
	displayId: string,
	signal: AbortSignal,
): Promise<number> {
	const runners = await client.runners.list({ limit: 100 }, { signal }).toArray();
	const isNew = displayId === NEW_DISPLAY;
	const hasIt = ({ state, displays, virtualDisplays }: Runner) =>
		state === "online" &&
		(isNew ? (virtualDisplays ?? 0) >= displaysNeeded : displays.some(({ id }) => id === displayId));
	const named = runners.find(({ name }) => name === (runner ?? hostname()));
	// Otherwise, the job waits for this runner.
	if (named !== undefined && (!isAuto || hasIt(named))) return named.id;
	if (runner !== undefined && named === undefined)
		throw new Error(`There is no runner "${runner}". The dashboard lists them under Runners.`);
	const able = named === undefined ? runners.filter(hasIt) : [];
	const [only, ...others] = able;
	if (only === undefined)
		throw new WithoutRunner(
			isNew
				? `No runner of this machine makes ${displaysNeeded} displays at a time. Start one with TAPEDECK_VIRTUAL_DISPLAYS=${displaysNeeded}.`
				: `No runner that is online has ${displayId}. Start one on this machine.`,
		);
	if (others.length === 0) return only.id;
	const names = able.map(({ name }) => name).join(", ");
	const what = isNew ? "make displays" : `have ${displayId}`;
	throw new Error(`Several runners ${what}: ${names}. Name the one of this machine as runner.`);
}

/** Waits until the job has a recording, whose page the links are of. */
async function begun(client: Tapedeck, recording: Job): Promise<Begun> {
	const deadline = performance.now() + STORED_MS;
	let job = recording;
	while (job.recording === null && performance.now() < deadline) {
		await pause(POLL_MS);
		job = await client.jobs.get(job.id);
	}
	return { job, clockShiftMs: client.clockShiftMs };
}
