/** `tapedeck stop`: ends recordings on this machine. */
import type { StopOrder } from "../control/messages.ts";
import {
	type Call,
	type Command,
	CommandError,
	EXIT,
	EXIT_HELP,
	type ExitStatus,
	PLACE_HELP,
	PLACE_OPTIONS,
} from "./command.ts";
import { displayFlag } from "./display-flag.ts";
import { withRunner } from "./find-runner.ts";
import { exitOf, untilFinal } from "./follow.ts";
import { lineOf } from "./in-words.ts";

const help = `usage: tapedeck stop <job id> | --name <name> | --display <display> | --all   [--wait]

Ends recordings of the runner on this machine, now, whether the dashboard can be reached or not: as a cancel does.
What is recorded is delivered as after every other end.

  <job id>                the job's number in the dashboard
  --name <name>           every recording with that name
  --display <display>     every recording of that display, such as :99
  --all                   every recording of the runner
  --wait                  come back when the videos are with the dashboard
${PLACE_HELP}

${EXIT_HELP}
`;

async function run(call: Call): Promise<ExitStatus> {
	const order = orderOf(call);
	return withRunner(call, async (client) => {
		const { stopped, ending } = await client.stop(order);
		let recordings = [...stopped, ...ending];
		let exit: ExitStatus = EXIT.done;
		if (call.values.wait === true) {
			recordings = await Promise.all(recordings.map(({ key }) => untilFinal(client, key, call.remark)));
			// One that was stopped before its first frame is as it was wanted.
			const bad = recordings.filter((recording) => recording.status !== "cancelled" && exitOf(recording) !== EXIT.done);
			if (bad.length > 0) exit = EXIT.failed;
		}
		const lines = recordings.map(lineOf);
		call.tell({ stopped: recordings }, lines.length === 0 ? "Nothing is recorded." : lines.join("\n"));
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
	throw new CommandError("usage", "Say what to stop: one of <job id>, --name, --display and --all.", EXIT.usage);
}

function idOf(text: string): number {
	if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
	throw new CommandError("usage", `${text}: Give the job's number, or its name with --name.`, EXIT.usage);
}

export const command: Command = {
	help,
	options: {
		name: { type: "string" },
		display: { type: "string" },
		all: { type: "boolean" },
		wait: { type: "boolean" },
		...PLACE_OPTIONS,
	},
	maxWords: 1,
	run,
};
