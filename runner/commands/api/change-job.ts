/** `tapedeck jobs cancel` and `tapedeck jobs label`. */

import type { UpdateJob } from "@tapedeck/client-source/index.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { EXIT, type ExitStatus, usageError } from "../command.ts";
import { option } from "../define-command.ts";
import { labelOf } from "../label-words.ts";
import { type ApiCall, apiCommand, idOf } from "./api-command.ts";
import { about } from "./dashboard-client.ts";
import { describeJob } from "./job.ts";

async function runCancel(call: ApiCall): Promise<ExitStatus> {
	const id = idOf(call.positionals[0], "job");
	const job = await about(`Job ${id}`, call.client.jobs.cancel(id));
	call.print(job, `Job ${id} "${job.name}" ${isEnded(job.status) ? `has ended: ${job.status}` : "is stopping"}.`);
	return EXIT.done;
}

export const cancel = apiCommand({
	usage: "tapedeck jobs cancel <job id>",
	about: `Ends a job, as "Cancel job" in the dashboard does: what was recorded is kept. A job that has ended stays as it is.`,
	summary: "end a job",
	maxArguments: 1,
	run: runCancel,
});

async function runLabel(call: ApiCall): Promise<ExitStatus> {
	const [first, ...words] = call.positionals;
	const id = idOf(first, "job");
	const { outcome } = call.values;
	if (words.length === 0 && outcome === undefined)
		throw usageError("Name the labels to set or remove, such as: tapedeck jobs label 12 flaky=yes team-");
	const body = {
		...(words.length === 0 ? {} : { labels: Object.fromEntries(words.map(labelChange)) }),
		...(outcome === undefined ? {} : { outcome: outcome === "none" ? null : outcome }),
	} as UpdateJob;
	const job = await about(`Job ${id}`, call.client.jobs.update(id, body));
	call.print(job, describeJob(call, job));
	return EXIT.done;
}

/** Reads `key=value`, or `key-`, which removes a label: no key ends with a dash. */
function labelChange(text: string): [string, string | null] {
	const change = text.includes("=") ? labelOf(text) : text.endsWith("-") ? labelOf(`${text.slice(0, -1)}=`) : null;
	if (change === null) throw usageError(`"${text}" is no label; use key=value to set one, and key- to remove it.`);
	return text.includes("=") ? change : [change[0], null];
}

export const label = apiCommand({
	usage: "tapedeck jobs label <job id> [<key>=<value> | <key>-]… [--outcome passed|failed|error|skipped|none]",
	about: "Sets labels of a job and its recording, also while it records, and removes those written as <key>-.",
	summary: "set and remove labels of a job, and say how its test ended",
	options: [option("--outcome <outcome>", "say how the test ended")],
	maxArguments: Number.POSITIVE_INFINITY,
	run: runLabel,
});
