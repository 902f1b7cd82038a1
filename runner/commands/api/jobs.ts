/** `tapedeck jobs`: the dashboard's jobs. */
import { formatDuration } from "@tapedeck/contract/video-time.ts";
import { EXIT, type ExitStatus } from "../command.ts";
import { type ApiCall, apiCommand, apiCommands, idOf, LIST_OPTIONS, readList, remarkMore } from "./api-command.ts";
import { cancel, label } from "./change-job.ts";
import { create } from "./create-job.ts";
import { describeJob, readJob } from "./job.ts";
import { coloredState, localTime, table } from "./table.ts";
import { wait } from "./wait-for-job.ts";

const runList = async (call: ApiCall): Promise<ExitStatus> => {
	const page = await readList(call, (filter) => call.client.jobs.list(filter));
	const rows = page.data.map((job) => [
		String(job.id),
		coloredState(job.status),
		coloredState(job.outcome ?? "-"),
		job.recording === null ? "-" : formatDuration(job.recording.durationSeconds),
		String(job.runnerId),
		job.displayId,
		localTime(job.createdAt),
		job.name,
	]);
	const columns = ["ID", "STATUS", "OUTCOME", "LENGTH", "RUNNER", "DISPLAY", "CREATED", "NAME"];
	call.print(page, rows.length === 0 ? "No jobs found." : table(columns, rows));
	remarkMore(call, page.nextCursor);
	return EXIT.done;
};

const runGet = async (call: ApiCall): Promise<ExitStatus> => {
	const job = await readJob(call, idOf(call.positionals[0], "job"));
	call.print(job, describeJob(call, job));
	return EXIT.done;
};

const list = apiCommand({
	usage: "tapedeck jobs list [--query <search>] [--limit <count>]",
	summary: "list jobs, newest first; with --query, those that match",
	about: "Lists jobs, newest first.",
	options: LIST_OPTIONS,
	run: runList,
});

const get = apiCommand({
	usage: "tapedeck jobs get <job id>",
	summary: "show a job",
	about: "Shows a job: its status, its recording and its labels.",
	maxArguments: 1,
	run: runGet,
});

export const command = apiCommands("jobs", "Jobs of the dashboard: each is one recording, planned, running or ended.", {
	list,
	get,
	create,
	wait,
	cancel,
	label,
});
