/** `tapedeck screenshot`: takes a picture of a display, and saves it if asked to. */
import type { CreateScreenshotJob } from "@tapedeck/client-source/index.ts";
import { CommandError, EXIT, type ExitStatus, usageError } from "../command.ts";
import { option, repeatable } from "../define-command.ts";
import { VIDEO_FLAGS } from "../video-flags.ts";
import { type ApiCall, apiCommand, readPages } from "./api-command.ts";
import { placeOf, settingsOf } from "./create-job.ts";
import { about } from "./dashboard-client.ts";
import { download } from "./download.ts";
import { describeJob } from "./job.ts";

/** Only the display and the part of it that is shown: a picture has no frames per second. */
const SHOWN = VIDEO_FLAGS.filter(({ flags }) => /^--(region|window) /.test(flags));

async function run(call: ApiCall): Promise<ExitStatus> {
	const { client, positionals } = call;
	const created = await client.jobs.create(await screenshotOf(call));
	const job = await about(`Job ${created.id}`, client.jobs.wait(created.id));
	const [target] = positionals;
	if (target !== undefined && job.recording !== null) {
		const path = `/v1/recordings/${job.recording.id}/video`;
		const what = `Recording ${job.recording.id}`;
		await download(client, { path, what, target, onProgress: () => undefined, onBreak: () => undefined });
	}
	const saved = target === undefined || job.recording === null ? "" : `\n  saved      ${target}`;
	call.print(job, describeJob(call, job) + saved);
	return job.status === "completed" ? EXIT.done : EXIT.failed;
}

/** The body of `POST /v1/jobs` that the flags in SCREENSHOT_FLAGS describe. */
export const screenshotOf = async (call: ApiCall): Promise<CreateScreenshotJob> =>
	({ type: "screenshot", ...(await placeOf(await onOneRunner(call))), ...settingsOf(call) }) as CreateScreenshotJob;

/** Adds the runner: that of `--runner`, or else the only one that is online and has the display. */
async function onOneRunner(call: ApiCall): Promise<ApiCall> {
	const { values, client } = call;
	if (values.runner !== undefined) return call;
	const { data } = await readPages((page) => client.runners.list(page), Number.POSITIVE_INFINITY);
	const hasDisplay = ({ displays }: (typeof data)[number]) =>
		values.display === undefined ? displays.length > 0 : displays.some(({ id }) => id === values.display);
	const fitting = data.filter((runner) => runner.state === "online" && hasDisplay(runner));
	const [only, ...others] = fitting;
	if (only === undefined)
		throw new CommandError("display_not_found", 'No runner that is online has this display; see "tapedeck runners".');
	if (others.length > 0)
		throw usageError(`${fitting.map(({ name }) => name).join(", ")} have a display; choose one with --runner.`);
	return { ...call, values: { ...values, runner: String(only.id) } };
}

export const SCREENSHOT_FLAGS = [
	option("--runner <name or id>", "the runner; default the only one that is online and has the display"),
	option("--display <display>", "what to show, such as :99; default the only one of the runner"),
	option("--name <name>", "the picture's name"),
	repeatable("--label <key>=<value>", "a label of the picture, such as suite=checkout; repeat it for several"),
	option("--keep <policy>", "failed: delete the picture after a while if its outcome is passed; default always"),
	...SHOWN,
];

export const command = apiCommand({
	usage: `tapedeck screenshot [FILE] [--runner <name or id>] [--display :99] [--name <name>]
                           [--label <key>=<value>]… [--region 800x600+100+50 | --window <window>]`,
	about: `Takes a picture of a display in its full size, waits until it is stored, and with FILE also saves it here as a PNG. The
exit status is 1 if there is no picture. A picture of a single colour has the verdict black.`,
	options: SCREENSHOT_FLAGS,
	maxArguments: 1,
	run,
});
