/** `tapedeck file-upload`: has a runner upload a file of its machine. */
import type { CreateFileUploadJob } from "@tapedeck/client-source/index.ts";
import { CommandError, EXIT, type ExitStatus, usageError } from "../command.ts";
import { option, repeatable } from "../define-command.ts";
import { type ApiCall, apiCommand, readPages } from "./api-command.ts";
import { settingsOf } from "./create-job.ts";
import { about } from "./dashboard-client.ts";
import { describeJob } from "./job.ts";

async function run(call: ApiCall): Promise<ExitStatus> {
	const { client, positionals } = call;
	const [path] = positionals;
	if (path === undefined) throw usageError("Name the file, as its path on the runner.");
	const created = await client.jobs.create(await fileUploadOf(call, path));
	const job = await about(`Job ${created.id}`, client.jobs.wait(created.id));
	call.print(job, describeJob(call, job));
	return job.status === "completed" ? EXIT.done : EXIT.failed;
}

/** The body of `POST /v1/jobs` that the flags in FILE_UPLOAD_FLAGS describe. */
export async function fileUploadOf(call: ApiCall, path: string): Promise<CreateFileUploadJob> {
	const { video: _, ...settings } = settingsOf(call) as { video?: unknown };
	return { type: "file_upload", runnerId: await runnerOf(call), path, ...settings } as CreateFileUploadJob;
}

/** The runner of `--runner`, or else the only one that is online. */
async function runnerOf({ values, client }: ApiCall): Promise<number> {
	const { runner } = values as Record<string, string | undefined>;
	const { data } = await readPages((page) => client.runners.list(page), Number.POSITIVE_INFINITY);
	const fitting = data.filter(({ id, name, state }) =>
		runner === undefined ? state === "online" : String(id) === runner || name === runner,
	);
	const [only, ...others] = fitting;
	if (only === undefined)
		throw new CommandError("not_found", 'There is no such runner, or none is online; see "tapedeck runners".');
	if (others.length > 0)
		throw usageError(`${fitting.map(({ name }) => name).join(", ")} are online; choose one with --runner.`);
	return only.id;
}

export const FILE_UPLOAD_FLAGS = [
	option("--runner <name or id>", "the runner; default the only one that is online"),
	option("--name <name>", "the file's name in Tapedeck; default its own"),
	repeatable("--label <key>=<value>", "a label of the file, such as suite=checkout; repeat it for several"),
	option("--keep <policy>", "failed: delete the file after a while if its outcome is passed; default always"),
];

export const command = apiCommand({
	usage: `tapedeck file-upload PATH [--runner <name or id>] [--name <name>] [--label <key>=<value>]… [--keep <policy>]`,
	about: `Has a runner upload the file at PATH of its machine, and waits until it is stored. The runner uploads only files of
the folder that its TAPEDECK_UPLOAD_DIR (or TAPEDECK_WATCH_DIR) names. The exit status is 1 if the file was not uploaded.`,
	options: FILE_UPLOAD_FLAGS,
	maxArguments: 1,
	run,
});
