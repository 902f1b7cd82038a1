/** `tapedeck privacy`: begins and ends private stretches, which are black in the video. */
import { basename, dirname } from "node:path";
import { API_KEY, JOB_ID, RUN_FOLDER } from "@tapedeck/machine/runner-variables.ts";
import { ControlClient } from "../control/control-client.ts";
import { type ApiCall, apiCommand, idOf } from "./api/api-command.ts";
import { about } from "./api/dashboard-client.ts";
import { type Call, type Command, EXIT, type ExitStatus, usageError } from "./command.ts";
import { option } from "./define-command.ts";
import { asCommandError } from "./find-runner.ts";

async function viaApi(call: ApiCall): Promise<ExitStatus> {
	const on = isOn(call);
	const job = call.values.job ?? (call.env[JOB_ID] || undefined);
	if (typeof job !== "string") throw usageError("Name the job with --job.");
	const id = idOf(job, "job");
	const privacy = await about(`Job ${id}`, call.client.jobs.setPrivacy(id, on));
	call.print(privacy, describe(on, `Job ${id}`));
	return EXIT.done;
}

/** In a command of `tapedeck run`: through the runner that records it, which needs no API key and no connection. */
async function viaRunner(call: Call, folder: string): Promise<ExitStatus> {
	const on = isOn(call);
	// Its data directory has the folder "jobs", and that the folder of the recording.
	const client = new ControlClient(dirname(dirname(folder)));
	try {
		const privacy = await client.setPrivacy(basename(folder), { on });
		call.print(privacy, describe(on, privacy.jobId === null ? "The recording" : `Job ${privacy.jobId}`));
		return EXIT.done;
	} catch (error) {
		throw asCommandError(error);
	}
}

function isOn({ positionals: [word] }: Call): boolean {
	if (word === "on" || word === "off") return word === "on";
	throw usageError("Say on or off, such as: tapedeck privacy on --job 12");
}

const describe = (on: boolean, what: string): string =>
	on ? `${what} is private: its video is black from now on.` : `${what} shows the display again.`;

const api = apiCommand({
	usage: "tapedeck privacy on|off [--job <id>]",
	about: `Begins or ends a private stretch of a job: until it ends, the runner records black, and nothing of the display
gets into the video or its pictures. The command returns once that is so; if it fails, the display may still be recorded.
In a command that "tapedeck run" runs, it is that command's job, and no API key is needed.`,
	options: [option("--job <id>", "the job; default TAPEDECK_JOB_ID")],
	maxArguments: 1,
	run: viaApi,
});

export const command: Command = {
	...api,
	run: (call) => {
		const { values, env } = call;
		const folder = env[RUN_FOLDER];
		const isOfRun = folder && values.job === undefined && !env[API_KEY];
		return isOfRun ? viaRunner(call, folder) : api.run(call);
	},
};
