/** `tapedeck mark`: adds a marker to a recording. */
import type { Marker } from "#lib/contract/marker.ts";
import { EXIT, type ExitStatus, usageError } from "../command.ts";
import { formatTime } from "../format.ts";
import { type ApiCall, apiCommand, idOf } from "./api-command.ts";

async function run(call: ApiCall): Promise<ExitStatus> {
	const { values, positionals } = call;
	const [label] = positionals;
	if (label === undefined) throw usageError('Say what happened, such as: tapedeck mark "Pay is clicked" --job 12');
	const { path, what, body } = target(call);
	const sent = { label, ...(values.kind === undefined ? {} : { kind: values.kind }), ...body };
	const marker = await call.api.call<Marker>("POST", `${path}/markers`, { body: sent, what });
	const at = marker.offsetSeconds === null ? "before the first frame" : `at ${formatTime(marker.offsetSeconds)}`;
	call.print(marker, `Marked "${marker.label}" ${at} of ${what.toLowerCase()}.`);
	return EXIT.done;
}

/** A moment of a job by the time of day, or of a recording by its position. */
function target({ values, env }: ApiCall): { path: string; what: string; body: object } {
	const { job = env.TAPEDECK_JOB_ID || undefined, recording, at } = values as Record<string, string | undefined>;
	if (recording !== undefined) {
		const id = idOf(recording, "recording");
		const offsetSeconds = at === undefined ? Number.NaN : positionOf(at);
		if (!Number.isFinite(offsetSeconds))
			throw usageError("--at: Give the position in the recording, in seconds or as 1:02:03.");
		return { path: `/v1/recordings/${id}`, what: `Recording ${id}`, body: { offsetSeconds } };
	}
	if (job === undefined) throw usageError("Name the job with --job, or the recording with --recording and --at.");
	const id = idOf(job, "job");
	return { path: `/v1/jobs/${id}`, what: `Job ${id}`, body: at === undefined ? {} : { at } };
}

/** Reads `62.5`, `1:02` or `1:02:03`. @returns seconds, or NaN. */
const positionOf = (text: string): number =>
	/^(\d{1,2}:){0,2}\d{1,9}(\.\d{1,3})?$/.test(text)
		? text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0)
		: Number.NaN;

export const command = apiCommand({
	usage: "tapedeck mark <label> [--job <id>] [--kind step|pass|fail|note] [--at <time>]",
	about: `Adds a marker, a chapter of the video, to the recording of a job: now, or at another time. In a command that
"tapedeck run" runs, it is that command's job.`,
	flags: `  --job <id>              the job; default TAPEDECK_JOB_ID
  --kind <kind>           step, pass, fail, which also sets the outcome if there is none, or note (default)
  --at <time>             of a job, when it happened, such as 2026-11-21T10:00:00Z; default now
  --recording <id>        in place of a job: a recording, with --at as its position, such as 62.5 or 1:02`,
	options: {
		job: { type: "string" },
		recording: { type: "string" },
		kind: { type: "string" },
		at: { type: "string" },
	},
	maxArguments: 1,
	run,
});
