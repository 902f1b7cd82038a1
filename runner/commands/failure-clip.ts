/** `tapedeck run --clip-on-failure`: a clip of the failure beside the command's other files. */

import { API_KEY } from "@tapedeck/machine/runner-variables.ts";
import { errorMessage } from "../base/fault.ts";
import { fromEnvironment } from "../config/settings.ts";
import { writeClip } from "./api/clip-file.ts";
import type { Call } from "./command.ts";

/** The dashboard encodes nothing for it, unless it is large; others' may be made before it. */
const TIMEOUT_MS = 120_000;

/**
 * Never fails the command: what goes wrong is one warning.
 * @param jobUrl the job's page.
 * @param gaveUp aborts when the user does not want to wait any longer.
 */
export async function clipFailure(call: Call, jobUrl: string, target: string, gaveUp: AbortSignal): Promise<void> {
	try {
		await writeClipOf(call, jobUrl, {}, target, gaveUp);
		call.remark(`tapedeck: Clip of the failure: ${target}`);
	} catch (error) {
		const why = errorMessage(error).replace(/\.$/, "");
		call.remark(`tapedeck: The clip of the failure could not be written: ${why}.`);
	}
}

/** @param stretch in seconds from the first frame; around the first failure if it is empty. @throws with what is missing. */
export async function writeClipOf(
	call: Call,
	jobUrl: string,
	stretch: { from?: number; to?: number },
	target: string,
	gaveUp: AbortSignal,
): Promise<void> {
	const apiKey = call.env[API_KEY];
	const url = fromEnvironment(call.env, "url");
	if (!apiKey || url === undefined) throw new Error("it needs TAPEDECK_URL and TAPEDECK_API_KEY");
	const { Tapedeck } = await import("@tapedeck/client-source/index.ts");
	const client = new Tapedeck({ url, apiKey });
	const signal = AbortSignal.any([gaveUp, AbortSignal.timeout(TIMEOUT_MS)]);
	const { recording } = await client.jobs.get(Number(/\/jobs\/(\d+)$/.exec(jobUrl)?.[1]), { signal });
	if (recording === null) throw new Error("nothing was recorded");
	await writeClip(await client.recordings.clip(recording.id, stretch, { signal }), target);
}
