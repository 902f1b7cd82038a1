/**
 * The recording around a command. Nothing here ever fails the command: what goes wrong is one warning, and the command
 * runs without a recording, or its recording waits in the spool.
 */
import type { Keep } from "#lib/contract/recording-kinds.ts";
import { errorMessage } from "../base/fault.ts";
import { pause } from "../base/wait.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import type { CommandResult, LocalRecording, RecordOrder } from "../control/messages.ts";
import type { Call } from "./command.ts";
import { findDataDir } from "./find-runner.ts";
import { startOwnRunner, whyNoOwnRunner } from "./own-runner.ts";
import { isFinal } from "./wait-for-recording.ts";

/** How long the command is held back for the first frame. */
const FIRST_FRAME_MS = 20_000;
/** How long we wait for the video to play. */
const PLAYABLE_MS = 60_000;
/** How long a dashboard may be unreachable before the recording is left in the spool. */
const UNREACHABLE_MS = 5_000;
const ENDING_RUNNER_MS = 15_000;

export interface RecordingOrder extends Pick<RecordOrder, "name" | "labels" | "maxDurationSeconds"> {
	/** Null for the runner's only display. */
	displayId: string | null;
	keep?: Keep;
}

export interface CommandRecording {
	/** As it was when its first frame was captured. */
	readonly begun: LocalRecording;
	/**
	 * Ends it with the command's result, and waits until it plays, for a limited time.
	 * @param gaveUp aborted when somebody does not want to wait any longer.
	 */
	end(result: CommandResult, gaveUp: AbortSignal): Promise<LocalRecording>;
}

/** Starts recording and waits for the first frame. @returns null, after a warning, when nothing can be recorded. */
export async function startRecording(call: Call, order: RecordingOrder): Promise<CommandRecording | null> {
	try {
		return await begin(call, order);
	} catch (error) {
		const why = error instanceof ControlError || error instanceof Error ? error.message : errorMessage(error);
		call.remark(`tapedeck: ${why.replace(/\.$/, "")}. The command runs without a recording.`);
		return null;
	}
}

async function begin(call: Call, order: RecordingOrder): Promise<CommandRecording> {
	const { client, own } = await runnerFor(call);
	try {
		const displayId = order.displayId ?? (await onlyDisplay(client));
		let recording = await client.record({ ...order, displayId });
		const deadline = performance.now() + FIRST_FRAME_MS;
		while (recording.status === "starting" && performance.now() < deadline) {
			const left = pause(deadline - performance.now()).then(() => recording);
			recording = await Promise.race([client.waitFor(recording.key, "recording"), left]);
		}
		if (isFinal(recording)) throw new Error(recording.message ?? "The recording ended before its first frame");
		if (recording.status === "starting") call.remark("tapedeck: No frame was captured yet; the command starts anyway.");
		const begun = await withJob(client, recording);
		return { begun, end: (result, gaveUp) => end(call, client, own, begun, result, gaveUp) };
	} catch (error) {
		if (own) await client.leave().catch(() => undefined);
		throw error;
	}
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
			if (!(error instanceof ControlError) || error.code !== "absent") throw error;
			break;
		}
		if (performance.now() > deadline) throw new Error("The runner of this machine is stopping");
		await pause(200);
	}
	const why = whyNoOwnRunner(call.env);
	if (why !== null) throw new Error(why);
	return { client: await startOwnRunner(dataDir, call.env), own: true };
}

async function onlyDisplay(client: ControlClient): Promise<string> {
	const { displays } = await client.status();
	if (displays.length === 1 && displays[0]) return displays[0].id;
	throw new Error(
		displays.length === 0
			? "There is no display to record; start one, or use --new-display 1920x1080"
			: `There are ${displays.map(({ id }) => id).join(", ")}; choose one with --display`,
	);
}

/** With the id of its job, if the dashboard creates it at once. */
async function withJob(client: ControlClient, recording: LocalRecording): Promise<LocalRecording> {
	if (recording.jobId !== null) return recording;
	const known = client.waitFor(recording.key, "known").catch(() => recording);
	return Promise.race([known, pause(1_000).then(() => recording)]);
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
		await client.result(begun.key, result).catch(ignoreFinished);
		await client.stop({ key: begun.key }).catch(ignoreFinished);
		recording = await untilPlayable(client, recording, gaveUp);
	} catch (error) {
		call.remark(`tapedeck: ${errorMessage(error).replace(/\.$/, "")}. What was recorded is in the runner's spool.`);
	} finally {
		if (own) await client.leave().catch(() => undefined);
	}
	return recording;
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
