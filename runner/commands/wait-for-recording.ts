/** Waits until a recording is finished, across a restart of the runner too. */

import { messageOf } from "../base/fault.ts";
import { pause } from "../base/wait.ts";
import { type ControlClient, ControlError } from "../control/control-client.ts";
import { FINAL_STATES, type LocalRecording } from "../control/messages.ts";
import { type Call, CommandError, EXIT, type ExitStatus } from "./command.ts";

const RESTART_TIMEOUT_MS = 60_000;
const RETRY_MS = 500;

export const isFinal = ({ status }: LocalRecording): boolean => (FINAL_STATES as readonly string[]).includes(status);

/** The exit status for the outcome of a recording. */
export const exitOf = ({ status }: LocalRecording): ExitStatus => (status === "completed" ? EXIT.done : EXIT.failed);

/**
 * Resolves when nothing more will happen to the recording.
 * @throws CommandError when the runner ended and did not come back.
 */
export async function waitUntilFinal(
	client: ControlClient,
	key: string,
	remark: Call["remark"],
): Promise<LocalRecording> {
	let goneSince: number | null = null;
	let remarked = false;
	for (;;) {
		try {
			const recording = await client.waitFor(key, "finished");
			if (isFinal(recording)) return recording;
			goneSince = null;
			if (!remarked) remarked = await remarkDisconnected(client, recording, remark);
		} catch (error) {
			if (!(error instanceof ControlError) || !["absent", "silent"].includes(error.code)) throw error;
			if (goneSince === null) remark("The runner stopped responding. Waiting for it to come back.");
			goneSince ??= performance.now();
			if (performance.now() - goneSince > RESTART_TIMEOUT_MS) {
				const message =
					"The runner has stopped. The recording is in its spool and is uploaded when it is started again.";
				throw new CommandError("no_runner", message, EXIT.noRunner);
			}
			await pause(RETRY_MS);
		}
	}
}

/** Explains what the upload is waiting for. @returns whether there was anything to explain. */
async function remarkDisconnected(
	client: ControlClient,
	recording: LocalRecording,
	remark: Call["remark"],
): Promise<boolean> {
	if (recording.status !== "uploading") return false;
	const { dashboard } = await client.status();
	if (dashboard.connected) return false;
	const problem = dashboard.problem === null ? "The dashboard can't be reached." : messageOf(dashboard.problem);
	remark(`${problem} The video waits in the spool.`);
	return true;
}
