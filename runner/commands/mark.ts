/** `tapedeck mark`: adds a marker to a recording. */

import { basename, dirname } from "node:path";
import type { JobMarker, Marker } from "@tapedeck/client-source/index.ts";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { sanitizeMessage } from "@tapedeck/contract/plain-text.ts";
import { formatPosition } from "@tapedeck/contract/video-time.ts";
import { API_KEY, JOB_ID, RUN_FOLDER } from "@tapedeck/machine/runner-variables.ts";
import * as z from "zod";
import { ControlClient, ControlError } from "../control/control-client.ts";
import type { CommandMarker } from "../control/messages.ts";
import { type ApiCall, apiCommand, idOf } from "./api/api-command.ts";
import { about } from "./api/dashboard-client.ts";
import { type Call, type Command, EXIT, type ExitStatus, usageError } from "./command.ts";
import { option } from "./define-command.ts";
import { asCommandError } from "./find-runner.ts";

async function viaApi(call: ApiCall): Promise<ExitStatus> {
	const { what, add } = target(call);
	const marker = await about(what, add(namedBy(call)));
	call.print(marker, describe(marker, what));
	return EXIT.done;
}

/** In a command of `tapedeck run`: through the runner that records it, which needs no API key and no connection. */
async function viaRunner(call: Call, folder: string): Promise<ExitStatus> {
	const { at } = call.values as Record<string, string | undefined>;
	// Its data directory has the folder "jobs", and that the folder of the recording.
	const client = new ControlClient(dirname(dirname(folder)));
	const order = { ...namedBy(call), ...(at === undefined ? {} : { at }) };
	try {
		const marker = await client.mark(basename(folder), order as CommandMarker);
		call.print(
			{ id: null, ...marker },
			describe(marker, marker.jobId === null ? "the recording" : `Job ${marker.jobId}`),
		);
		return EXIT.done;
	} catch (error) {
		throw error instanceof ControlError && error.code === "bad_order"
			? usageError(error.message)
			: asCommandError(error);
	}
}

/** The marker that both ways send. */
type Named = Omit<JobMarker, "at">;

function namedBy({ values: { kind, message }, positionals: [label], env }: Call): Named {
	if (label === undefined) throw usageError('Say what happened, such as: tapedeck mark "Pay is clicked" --job 12');
	const mask = new SecretMask(env);
	return {
		label: mask.apply(label),
		...(kind === undefined ? {} : { kind: kind as Named["kind"] }),
		// A body has a limit of its own; what is cut here would be cut there.
		...(typeof message === "string" ? { message: sanitizeMessage(mask.apply(message)) } : {}),
	};
}

function describe({ label, offsetSeconds }: Pick<Marker, "label" | "offsetSeconds">, what: string): string {
	const at = offsetSeconds === null ? "before the first frame" : `at ${formatPosition(offsetSeconds)}`;
	return `Marked "${label}" ${at} of ${what.toLowerCase()}.`;
}

/** A moment of a job by the time of day, or of a recording by its position. */
function target({ client, values, env }: ApiCall): { what: string; add(named: Named): Promise<Marker> } {
	const { job = env[JOB_ID] || undefined, recording, at } = values as Record<string, string | undefined>;
	if (recording !== undefined) {
		const id = idOf(recording, "recording");
		const offsetSeconds = at === undefined ? Number.NaN : positionOf(at);
		if (!Number.isFinite(offsetSeconds))
			throw usageError("--at: Give the position in the recording, in seconds or as 1:02:03.");
		return { what: `Recording ${id}`, add: (named) => client.recordings.addMarker(id, { ...named, offsetSeconds }) };
	}
	if (job === undefined) throw usageError("Name the job with --job, or the recording with --recording and --at.");
	const id = idOf(job, "job");
	return { what: `Job ${id}`, add: (named) => client.jobs.addMarker(id, { ...named, at: timeOf(at) }) };
}

/** @returns a time of this machine's clock, which the client corrects; what is no time is left to the dashboard to refuse. */
const timeOf = (at: string | undefined): JobMarker["at"] =>
	z.iso.datetime({ offset: true }).safeParse(at).success ? new Date(String(at)) : at;

/** Reads `62.5`, `1:02` or `1:02:03`. @returns seconds, or NaN. */
const positionOf = (text: string): number =>
	/^(\d{1,2}:){0,2}\d{1,9}(\.\d{1,3})?$/.test(text)
		? text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0)
		: Number.NaN;

const api = apiCommand({
	usage: "tapedeck mark <label> [--job <id>] [--kind step|pass|fail|note] [--at <time>] [--message <text>]",
	about: `Adds a marker, a chapter of the video, to the recording of a job: now, or at another time. In a command that
"tapedeck run" runs, it is that command's job, and no API key is needed.`,
	options: [
		option("--job <id>", "the job; default TAPEDECK_JOB_ID"),
		option("--kind <kind>", "step, pass, fail, which also sets the outcome if nobody else does, or note (default)"),
		option("--message <text>", "more of it, in any number of lines, such as the error"),
		option(
			"--at <time>",
			"of a job, when it happened, such as 2026-11-21T10:00:00Z, by this machine's clock; default now",
		),
		option("--recording <id>", "instead of a job: a recording, with --at as its position, such as 62.5 or 1:02"),
	],
	maxArguments: 1,
	run: viaApi,
});

export const command: Command = {
	...api,
	run: (call) => {
		const { values, env } = call;
		const folder = env[RUN_FOLDER];
		const isOfRun = folder && values.job === undefined && values.recording === undefined && !env[API_KEY];
		return isOfRun ? viaRunner(call, folder) : api.run(call);
	},
};
