/** `tapedeck stop`: stops recordings on this machine. */
import type { StopOrder } from "../control/messages.ts";
import { type Call, EXIT, type ExitStatus, usageError } from "./command.ts";
import { option } from "./define-command.ts";
import { displayFlag } from "./display-options.ts";
import { withRunner } from "./find-runner.ts";
import { describeRecording } from "./format.ts";
import { runnerCommand } from "./runner-command.ts";
import { exitOf, waitUntilFinal } from "./wait-for-recording.ts";

async function run(call: Call): Promise<ExitStatus> {
	const order = orderOf(call);
	return withRunner(call, async (client) => {
		const { stopped, ending } = await client.stop(order);
		let recordings = [...stopped, ...ending];
		let exit: ExitStatus = EXIT.done;
		if (call.values.wait === true) {
			recordings = await Promise.all(recordings.map(({ key }) => waitUntilFinal(client, key, call.remark)));
			// Stopping a recording before its first frame is not a failure.
			const bad = recordings.filter((recording) => recording.status !== "cancelled" && exitOf(recording) !== EXIT.done);
			if (bad.length > 0) exit = EXIT.failed;
		}
		const lines = recordings.map(describeRecording);
		call.print({ stopped: recordings }, lines.length === 0 ? "Nothing is being recorded." : lines.join("\n"));
		return exit;
	});
}

function orderOf({ values, positionals }: Call): StopOrder {
	const [id] = positionals;
	const orders: StopOrder[] = [];
	if (id !== undefined) orders.push({ jobId: idOf(id) });
	if (typeof values.name === "string") orders.push({ name: values.name.trim() });
	if (typeof values.display === "string") orders.push({ displayId: displayFlag(values.display) });
	if (values.all === true) orders.push({ all: true });
	if (orders.length === 1 && orders[0]) return orders[0];
	throw usageError("Specify <job id>, --name, --display or --all.");
}

function idOf(text: string): number {
	if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
	throw usageError(`${text}: Not a job id. To stop by name, use --name.`);
}

export const command = runnerCommand({
	usage: "tapedeck stop <job id> | --name <name> | --display <display> | --all   [--wait]",
	about: `Stops recordings of the runner on this machine at once, even if the dashboard can't be reached, as Cancel in the
dashboard does. What was recorded is uploaded as usual.`,
	words: { "<job id>": "the job's id in the dashboard" },
	options: [
		option("--name <name>", "every recording with that name"),
		option("--display <display>", "every recording of that display, such as :99"),
		option("--all", "every recording of the runner"),
		option("--wait", "wait until the videos are uploaded"),
	],
	maxArguments: 1,
	run,
});
