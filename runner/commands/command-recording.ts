/**
 * The recording around a command. Nothing here ever fails the command: what goes wrong is one warning, and the command
 * runs without a recording, or its recording waits in the spool.
 */
import { join } from "node:path";
import type { Keep } from "@tapedeck/contract/recording-kinds.ts";
import { MAX_COMMAND_TESTS } from "@tapedeck/contract/runner-protocol.ts";
import { errorMessage } from "../base/fault.ts";
import { proxyProblem } from "../base/proxy.ts";
import { pause } from "../base/wait.ts";
import { fromEnvironment, xauthorityFile } from "../config/settings.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import type { CommandResult, LocalRecording, RecordOrder, SentTest } from "../control/messages.ts";
import { AllowedDisplays } from "../displays/allowed-displays.ts";
import { listDisplays } from "../displays/displays.ts";
import type { Call } from "./command.ts";
import { findDataDir } from "./find-runner.ts";
import { startOwnRunner, whyNoOwnRunner } from "./own-runner.ts";
import { isFinal } from "./wait-for-recording.ts";

/** Maximum time that the command waits for the first frame. */
const FIRST_FRAME_MS = 20_000;
/** Maximum time to wait until the video plays. */
const PLAYABLE_MS = 60_000;
/** Maximum time without a dashboard, before the recording is left in the spool. */
const UNREACHABLE_MS = 5_000;
const ENDING_RUNNER_MS = 15_000;
/** Number of attempts to start a recording when its runner stops at that moment. */
const ATTEMPTS = 3;
/** Maximum size of the tests of a report, which must fit into one request. */
const MAX_REPORT_BYTES = 512 * 1024;
/** Maximum restarts of our own runner while the command runs. */
const RESTARTS = 5;

export interface RecordingOrder
	extends Pick<RecordOrder, "name" | "labels" | "maxDurationSeconds" | "video" | "onlyFailed"> {
	/** Null for the runner's only display. */
	displayId: string | null;
	keep?: Keep;
}

export interface CommandRecording {
	/** The recording when its first frame was captured. */
	readonly begun: LocalRecording;
	/** Its folder in the spool of its runner: how the command finds both (TAPEDECK_RUN). */
	readonly folder: string;
	/** Adds what became of tests. */
	addTests(tests: readonly SentTest[]): Promise<void>;
	/**
	 * Ends it with the command's result, and waits until it plays, for a limited time.
	 * @param gaveUp aborted when the user does not want to wait any longer.
	 */
	end(result: CommandResult, gaveUp: AbortSignal): Promise<LocalRecording>;
}

/**
 * Starts recording and waits for the first frame.
 * @param instead says what happens instead of a recording.
 * @returns null, after a warning, when nothing can be recorded.
 */
export async function startRecording(
	call: Call,
	order: RecordingOrder,
	instead: () => Promise<string>,
): Promise<CommandRecording | null> {
	try {
		return await begin(call, order);
	} catch (error) {
		const why = error instanceof ControlError || error instanceof Error ? error.message : errorMessage(error);
		call.remark(`tapedeck: ${why.replace(/\.$/, "")}. ${await instead()}`);
		return null;
	}
}

async function begin(call: Call, order: RecordingOrder): Promise<CommandRecording> {
	const started = await startOn(call, order);
	const { client, own } = started;
	const ended = new AbortController();
	try {
		let { recording } = started;
		void keepOwning(call, started, ended.signal);
		const deadline = performance.now() + FIRST_FRAME_MS;
		while (recording.status === "starting" && performance.now() < deadline) {
			const left = pause(deadline - performance.now()).then(() => recording);
			recording = await Promise.race([client.waitFor(recording.key, "recording"), left]);
		}
		if (isFinal(recording)) throw new Error(recording.message ?? "The recording ended before its first frame");
		if (recording.status === "starting") call.remark("tapedeck: No frame was captured yet; the command starts anyway.");
		// There is no job before the command has failed.
		const begun = order.onlyFailed ? recording : await withJob(client, recording);
		return {
			begun,
			folder: join(client.dataDir, "jobs", begun.key),
			addTests: (tests) => addTests(call, client, begun, tests),
			end: (result, gaveUp) =>
				end(call, client, own, begun, result, gaveUp).finally(() => {
					ended.abort();
				}),
		};
	} catch (error) {
		ended.abort();
		if (own) await client.leave().catch(() => undefined);
		throw error;
	}
}

interface Started {
	client: ControlClient;
	/** Whether this process has started the runner. */
	own: boolean;
	recording: LocalRecording;
}

/** Starts recording. The runner of another `tapedeck run` may leave at any moment: then it is another runner's turn. */
async function startOn(call: Call, order: RecordingOrder): Promise<Started> {
	for (let attempt = 1; ; attempt++) {
		const { client, own } = await runnerFor(call);
		try {
			const displayId = order.displayId ?? (await onlyDisplay(call, client));
			return { client, own, recording: await client.record({ ...order, displayId }, "run") };
		} catch (error) {
			const left = error instanceof ControlError && ["runner_ending", "absent", "silent"].includes(error.code);
			if (left && !own && attempt < ATTEMPTS) continue;
			if (own) await client.leave().catch(() => undefined);
			throw error;
		}
	}
}

/** When this process is killed, the runner ends the recording. A runner of our own that dies is started again. */
function keepOwning({ env }: Call, { client, own, recording: { key } }: Started, ended: AbortSignal): Promise<void> {
	let restarts = own ? RESTARTS : 0;
	return client.own(key, ended, async () => {
		restarts -= 1;
		if (restarts >= 0) await startOwnRunner(client.dataDir, env).catch(() => undefined);
	});
}

/** The runner of this machine, or one of our own. */
async function runnerFor(call: Call): Promise<{ client: ControlClient; own: boolean }> {
	const dataDir = await findDataDir(call);
	const client = new ControlClient(dataDir);
	const deadline = performance.now() + ENDING_RUNNER_MS;
	for (;;) {
		try {
			// One that another `tapedeck run` is done with ends in a moment.
			if (!(await client.status()).ending) return { client, own: false };
		} catch (error) {
			if (!(error instanceof ControlError)) throw error;
			if (error.code === "absent") break;
			// A runner that ends at this moment closes the connection without an answer.
			if (error.code !== "silent" || performance.now() > deadline) throw error;
		}
		if (performance.now() > deadline) throw new Error("The runner of this machine is stopping");
		await pause(200);
	}
	const why = whyNoOwnRunner(call.env);
	if (why !== null) throw new Error(why);
	const url = URL.parse(fromEnvironment(call.env, "url") ?? "");
	const problem = url === null ? null : proxyProblem(url, call.env);
	if (problem !== null) call.remark(`tapedeck: ${problem}`);
	return { client: await startOwnRunner(dataDir, call.env), own: true };
}

async function onlyDisplay({ env }: Call, client: ControlClient): Promise<string> {
	const status = await client.status();
	// A temporary runner has the displays of commands alone.
	const allowed = AllowedDisplays.of(status.allowed);
	const { displays } = status.isTemporary ? await listDisplays(null, xauthorityFile(env), allowed) : status;
	if (displays.length === 1 && displays[0]) return displays[0].id;
	throw new Error(
		displays.length === 0
			? "There is no display to record; start one, or use --new-display 1920x1080"
			: `There are ${displays.map(({ id }) => id).join(", ")}; choose one with --display`,
	);
}

/** Adds the id of the recording's job, if the dashboard creates the job immediately. */
async function withJob(client: ControlClient, recording: LocalRecording): Promise<LocalRecording> {
	if (recording.jobId !== null) return recording;
	const known = client.waitFor(recording.key, "known").catch(() => recording);
	return Promise.race([known, pause(1_000).then(() => recording)]);
}

/** In as many reports as they need. */
async function addTests(
	call: Call,
	client: ControlClient,
	begun: LocalRecording,
	tests: readonly SentTest[],
): Promise<void> {
	let added = 0;
	try {
		for (const batch of batchesOf(tests)) {
			await client.tests(begun.key, batch);
			added += batch.length;
		}
	} catch (error) {
		const why = errorMessage(error).replace(/\.$/, "");
		call.remark(`tapedeck: ${tests.length - added} of ${tests.length} test results were not added: ${why}.`);
	}
}

function* batchesOf(tests: readonly SentTest[]): Generator<SentTest[]> {
	let batch: SentTest[] = [];
	let bytes = 0;
	for (const test of tests) {
		const size = Buffer.byteLength(JSON.stringify(test));
		if (batch.length === MAX_COMMAND_TESTS || (batch.length > 0 && bytes + size > MAX_REPORT_BYTES)) {
			yield batch;
			[batch, bytes] = [[], 0];
		}
		batch.push(test);
		bytes += size;
	}
	if (batch.length > 0) yield batch;
}

async function end(
	call: Call,
	client: ControlClient,
	own: boolean,
	begun: LocalRecording,
	result: CommandResult,
	gaveUp: AbortSignal,
): Promise<LocalRecording> {
	let recording = begun;
	try {
		await client
			.result(begun.key, result)
			.catch((error) => withoutOutput(client, begun, result, error))
			.catch(ignoreFinished);
		await client.stop({ key: begun.key }).catch(ignoreFinished);
		recording = await untilPlayable(client, recording, gaveUp);
	} catch (error) {
		call.remark(`tapedeck: ${errorMessage(error).replace(/\.$/, "")}. What was recorded is in the runner's spool.`);
	} finally {
		if (own) await client.leave().catch(() => undefined);
	}
	return recording;
}

/** A runner of an earlier version refuses a result with output. */
async function withoutOutput(
	client: ControlClient,
	{ key }: LocalRecording,
	{ output, ...result }: CommandResult,
	error: unknown,
): Promise<void> {
	if (output === undefined || !(error instanceof ControlError) || error.code !== "bad_order") throw error;
	await client.result(key, result);
}

/** A recording that ended earlier, at its cap or with its display. */
function ignoreFinished(error: unknown): void {
	if (!(error instanceof ControlError) || error.code !== "job_not_found") throw error;
}

async function untilPlayable(
	client: ControlClient,
	begun: LocalRecording,
	gaveUp: AbortSignal,
): Promise<LocalRecording> {
	const deadline = performance.now() + PLAYABLE_MS;
	let recording = begun;
	let unreachableSince: number | null = null;
	while (performance.now() < deadline && !gaveUp.aborted) {
		const held = client.waitFor(begun.key, "finished");
		held.catch(() => undefined);
		const next = await Promise.race([held, pause(1_000, gaveUp).then(() => null)]);
		recording = next ?? (await client.waitFor(begun.key, "recording"));
		if (isFinal(recording)) return recording;
		const { dashboard } = await client.status();
		unreachableSince = dashboard.connected ? null : (unreachableSince ?? performance.now());
		if (unreachableSince !== null && performance.now() - unreachableSince > UNREACHABLE_MS) return recording;
	}
	return recording;
}
