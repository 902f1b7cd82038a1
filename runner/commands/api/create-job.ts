/** `tapedeck jobs create`: requests a recording. */
import type { CreateJob } from "@tapedeck/client-source/index.ts";
import { secondsOf } from "../../base/length.ts";
import { CommandError, EXIT, type ExitStatus, usageError } from "../command.ts";
import { option, repeatable } from "../define-command.ts";
import { labelOf } from "../label-words.ts";
import { pastOf } from "../past.ts";
import { VIDEO_FLAGS, videoOf } from "../video-flags.ts";
import { type ApiCall, apiCommand, readPages } from "./api-command.ts";

async function run(call: ApiCall): Promise<ExitStatus> {
	const { values, client } = call;
	const body = await jobOf(call);
	const idempotencyKey = typeof values.key === "string" ? values.key : undefined;
	const job = await client.jobs.create(body, { idempotencyKey });
	call.print(job, `Job ${job.id} "${job.name}" on ${job.displayId} is ${job.status}.\n  ${client.url}/jobs/${job.id}`);
	return EXIT.done;
}

/** The body of `POST /v1/jobs` that the flags in JOB_FLAGS describe. */
export const jobOf = async (call: ApiCall): Promise<CreateJob> =>
	({ ...(await placeOf(call)), ...stopConditionOf(call), ...settingsOf(call) }) as CreateJob;

/** A runner and its display, or a selector for whichever runner fits. */
export async function placeOf({ values, client }: ApiCall): Promise<object> {
	const { runner, display } = values as Record<string, string | undefined>;
	const select = labelsOf("select", values.select);
	if (runner === undefined) return { selector: { labels: select, display: display ?? "any" } };
	if (values.select !== undefined) throw usageError("Use either --runner or --select.");
	const isId = /^\d+$/.test(runner);
	if (isId && display !== undefined) return { runnerId: Number(runner), displayId: display };
	const { data } = await readPages((page) => client.runners.list(page), Number.POSITIVE_INFINITY);
	const found = data.find(({ id, name }) => (isId ? id === Number(runner) : name === runner));
	if (found === undefined)
		throw new CommandError("not_found", `There is no runner ${isId ? runner : `"${runner}"`}; see "tapedeck runners".`);
	if (display !== undefined) return { runnerId: found.id, displayId: display };
	const [only, ...others] = found.displays;
	if (only === undefined)
		throw new CommandError("display_not_found", `Runner "${found.name}" has no display; name one with --display.`);
	if (others.length === 0) return { runnerId: found.id, displayId: only.id };
	const all = found.displays.map(({ id }) => id).join(", ");
	throw usageError(`Runner "${found.name}" has ${all}; choose one with --display.`);
}

function stopConditionOf({ values }: ApiCall): object {
	if (values.duration === undefined) return { stopCondition: "interrupt" };
	const stopConditionConfig = { durationSeconds: lengthOf("duration", values.duration) };
	return { stopCondition: "duration", stopConditionConfig };
}

export function settingsOf(call: ApiCall): object {
	const { values } = call;
	return {
		video: videoOf(call),
		...(values.name === undefined ? {} : { name: values.name }),
		...(values.label === undefined ? {} : { labels: labelsOf("label", values.label) }),
		...(values.pre === undefined ? {} : { preSeconds: pastOf("pre", values.pre) }),
		...(values.keep === undefined ? {} : { keep: values.keep }),
		...(values.max === undefined ? {} : { maxDurationSeconds: lengthOf("max", values.max) }),
	};
}

export function lengthOf(flag: string, value: unknown): number {
	const seconds = secondsOf(String(value));
	if (seconds !== null) return seconds;
	throw usageError(`--${flag}: Use a length such as 90s, 15m or 1h, at most 7d.`);
}

function labelsOf(flag: string, values: unknown): Record<string, string> {
	const given = Array.isArray(values) ? values.map(String) : [];
	return Object.fromEntries(
		given.map((text) => {
			const label = labelOf(text);
			if (label !== null) return label;
			throw usageError(
				`--${flag} ${text}: Use key=value with a key of lower-case letters and digits, such as suite=checkout.`,
			);
		}),
	);
}

export const JOB_FLAGS = [
	option("--runner <name or id>", "the runner; default the first one that fits and has the display free"),
	repeatable("--select <key>=<value>", "instead of a runner: a label that it must have; repeat it for several"),
	option("--display <display>", "what to record, such as :99; default any, or the only one of --runner"),
	option("--duration <length>", "how long, such as 30s or 15m"),
	option("--pre <length>", "begin so long before, such as 45s, with what the runner's buffer has"),
	option("--name <name>", "the job's name"),
	repeatable("--label <key>=<value>", "a label of the recording, such as suite=checkout; repeat it for several"),
	option("--keep <policy>", "failed: delete the recording after a while if its outcome is passed; default always"),
	...VIDEO_FLAGS,
	option("--max <length>", "end it after this time at the latest"),
];

export const create = apiCommand({
	usage: `tapedeck jobs create [--runner <name or id> | --select <key>=<value>…] [--display :99]
                            [--duration 30s] [--pre 45s] [--name <name>] [--label <key>=<value>]… [--keep failed] [--max 1h]
                            [--preset sharp] [--fps 30]`,
	about: `Requests a recording, and returns at once: "tapedeck jobs wait" waits for its first frame or its end. Without a
duration, it records until "tapedeck jobs cancel". For other stop conditions, use "tapedeck api POST /v1/jobs".`,
	summary: "request a recording",
	options: [
		...JOB_FLAGS,
		option("--key <text>", "within 24 hours, a second call with this key creates nothing and prints the same job"),
	],
	run,
});
