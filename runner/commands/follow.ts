/** Waiting for a recording, also over a restart of the runner. */
import { type ControlClient, ControlError } from "../control/control-client.ts";
import { FINAL_STATES, type LocalRecording } from "../control/messages.ts";
import { pause } from "../base/wait.ts";
import { type Call, CommandError, EXIT, type ExitStatus } from "./command.ts";

const PATIENCE_MS = 60_000;
const RETRY_MS = 500;

export const isFinal = ({ status }: LocalRecording): boolean => (FINAL_STATES as readonly string[]).includes(status);

/** What became of a recording that was waited for, as an exit status. */
export const exitOf = ({ status }: LocalRecording): ExitStatus => (status === "completed" ? EXIT.done : EXIT.failed);

/**
 * Resolves when nothing more will happen to the recording.
 * @throws CommandError when the runner ended and did not come back.
 */
export async function untilFinal(client: ControlClient, key: string, remark: Call["remark"]): Promise<LocalRecording> {
	let goneSince: number | null = null;
	let toldAway = false;
	for (;;) {
		try {
			const recording = await client.look(key, "finished");
			if (isFinal(recording)) return recording;
			goneSince = null;
			if (!toldAway) toldAway = await tellAway(client, recording, remark);
		} catch (error) {
			if (!(error instanceof ControlError) || !["absent", "silent"].includes(error.code)) throw error;
			if (goneSince === null) remark("The runner does not answer any more; waiting whether it comes back.");
			goneSince ??= performance.now();
			if (performance.now() - goneSince > PATIENCE_MS) {
				const words = "The runner has ended; what it recorded is in its spool and delivered when it is started again.";
				throw new CommandError("no_runner", words, EXIT.noRunner);
			}
			await pause(RETRY_MS);
		}
	}
}

/** @returns whether it was said that the dashboard is what is waited for. */
async function tellAway(client: ControlClient, recording: LocalRecording, remark: Call["remark"]): Promise<boolean> {
	if (recording.status !== "uploading") return false;
	const { dashboard } = await client.status();
	if (dashboard.connected) return false;
	remark(`${dashboard.problem ?? "The dashboard is away."} The video waits in the spool.`);
	return true;
}
