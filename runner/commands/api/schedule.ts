/** `tapedeck schedule`: jobs that are created again and again. */
import type { CreateSchedule, Schedule } from "@tapedeck/client-source/index.ts";
import { EXIT, type ExitStatus, usageError } from "../command.ts";
import { option } from "../define-command.ts";
import { type ApiCall, apiCommand, apiCommands, idOf } from "./api-command.ts";
import { JOB_FLAGS, jobOf, lengthOf } from "./create-job.ts";
import { about } from "./dashboard-client.ts";
import { FILE_UPLOAD_FLAGS, fileUploadOf } from "./file-upload.ts";
import { SCREENSHOT_FLAGS, screenshotOf } from "./screenshot.ts";
import { coloredState, localTime, table } from "./table.ts";

function stateOf({ paused, nextStartAt }: Schedule): string {
	if (paused) return "paused";
	return nextStartAt === null ? "ended" : "active";
}

function nameOf({ job }: Schedule): string {
	if (job.name !== undefined) return job.name;
	return job.type === "file_upload" ? job.path : (job.displayId ?? "any display");
}

function describe(schedule: Schedule): string {
	const { id, everySeconds, nextStartAt, lastJob, startedJobs, skippedStarts, lastSkip, pausedBecause } = schedule;
	const next = nextStartAt === null ? "" : `, next start ${localTime(nextStartAt)}`;
	const lines = [
		`Schedule ${id} "${nameOf(schedule)}" is ${stateOf(schedule)}: every ${everySeconds} s${next}.`,
		`Started: ${startedJobs}. Skipped: ${skippedStarts}.`,
	];
	if (lastJob !== null) lines.push(`Last job: ${lastJob.id}, ${lastJob.status}.`);
	if (lastSkip !== null) lines.push(`Last skipped ${localTime(lastSkip.at)}: ${lastSkip.reason}`);
	if (pausedBecause !== null) lines.push(`Paused because: ${pausedBecause}`);
	return lines.join("\n  ");
}

async function runList(call: ApiCall): Promise<ExitStatus> {
	const schedules = await call.client.schedules.list();
	const rows = schedules.map((schedule) => [
		String(schedule.id),
		coloredState(stateOf(schedule)),
		`${schedule.everySeconds} s`,
		schedule.nextStartAt === null ? "-" : localTime(schedule.nextStartAt),
		schedule.lastJob === null ? "-" : String(schedule.lastJob.id),
		String(schedule.startedJobs),
		String(schedule.skippedStarts),
		nameOf(schedule),
	]);
	const columns = ["ID", "STATE", "EVERY", "NEXT START", "LAST JOB", "STARTED", "SKIPPED", "NAME"];
	call.print(schedules, rows.length === 0 ? "No schedules." : table(columns, rows));
	return EXIT.done;
}

/** A recording, or with one of the two flags the job of `tapedeck screenshot` or `tapedeck file-upload`. */
async function scheduledJobOf(call: ApiCall): Promise<CreateSchedule["job"]> {
	const { screenshot, fileUpload } = call.values;
	if (screenshot === true && fileUpload !== undefined)
		throw usageError("Use either --screenshot or --file-upload: a schedule creates jobs of one type.");
	if (screenshot === true) {
		assertOnly(call, SCREENSHOT_FLAGS, "--screenshot");
		return screenshotOf(call);
	}
	if (fileUpload !== undefined) {
		assertOnly(call, FILE_UPLOAD_FLAGS, "--file-upload");
		return fileUploadOf(call, String(fileUpload));
	}
	return jobOf(call);
}

/** @throws CommandError for a flag of recordings that such a job does not have. */
function assertOnly({ values }: ApiCall, known: typeof JOB_FLAGS, type: string): void {
	const names = known.map((flag) => flag.attributeName());
	const unknown = JOB_FLAGS.find(
		(flag) => values[flag.attributeName()] !== undefined && !names.includes(flag.attributeName()),
	);
	if (unknown !== undefined) throw usageError(`${unknown.long}: Leave it out with ${type}; it is for recordings.`);
}

async function runCreate(call: ApiCall): Promise<ExitStatus> {
	const { every, until } = call.values;
	if (every === undefined) throw usageError("Say how often with --every, such as --every 10m.");
	const body = {
		everySeconds: lengthOf("every", every),
		...(until === undefined ? {} : { endsAt: String(until) }),
		job: await scheduledJobOf(call),
	};
	const schedule = await call.client.schedules.create(body);
	call.print(schedule, describe(schedule));
	return EXIT.done;
}

/** A command for one schedule. */
const forOne = (word: string, summary: string, act: (client: ApiCall["client"], id: number) => Promise<Schedule>) =>
	apiCommand({
		usage: `tapedeck schedule ${word} <schedule id>`,
		about: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
		summary,
		maxArguments: 1,
		async run(call) {
			const id = idOf(call.positionals[0], "schedule");
			const schedule = await about(`Schedule ${id}`, act(call.client, id));
			call.print(schedule, describe(schedule));
			return EXIT.done;
		},
	});

const list = apiCommand({
	usage: "tapedeck schedule list",
	summary: "list the schedules",
	about: "Lists the schedules with their next start, their last job, and how many starts were skipped.",
	run: runList,
});

const create = apiCommand({
	usage:
		"tapedeck schedule create --every <length> [--until <time>]\n                            [--screenshot | --file-upload <path>] [flags of tapedeck jobs create]",
	summary: "create a job now, and again after each period",
	about: `Creates a job now, and again after each period: a recording, a screenshot or the upload of a file. A start that
finds the last job still running is skipped and counted. After a downtime of the dashboard, the next regular start follows.`,
	options: [
		option("--every <length>", "from one start to the next, such as 30s or 1h; at least 10s"),
		option("--until <time>", "no job starts at this time or later, such as 2026-12-24T18:00:00Z"),
		option("--screenshot", "each job takes a screenshot, with the flags of tapedeck screenshot"),
		option("--file-upload <path>", "each job uploads this file of the runner, with the flags of tapedeck file-upload"),
		...JOB_FLAGS,
	],
	run: runCreate,
});

const remove = apiCommand({
	usage: "tapedeck schedule delete <schedule id>",
	summary: "delete a schedule; its jobs stay",
	about: "Deletes a schedule. Its jobs stay.",
	maxArguments: 1,
	async run(call) {
		const id = idOf(call.positionals[0], "schedule");
		await about(`Schedule ${id}`, call.client.schedules.delete(id));
		call.print({ id }, `Schedule ${id} is deleted.`);
		return EXIT.done;
	},
});

export const command = apiCommands("schedule", "Schedules of the dashboard: jobs that are created again and again.", {
	list,
	get: forOne("get", "show a schedule", (client, id) => client.schedules.get(id)),
	create,
	pause: forOne("pause", "pause a schedule", (client, id) => client.schedules.pause(id)),
	resume: forOne("resume", "resume a schedule with its next regular start", (client, id) =>
		client.schedules.resume(id),
	),
	delete: remove,
});
