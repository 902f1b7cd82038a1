/** `tapedeck runners`: the runners of the organization. */
import { EXIT, type ExitStatus } from "../command.ts";
import { option } from "../define-command.ts";
import { type ApiCall, apiCommand, limitOf, readPages, remarkMore } from "./api-command.ts";
import { coloredState, labelText, table } from "./table.ts";

async function run(call: ApiCall): Promise<ExitStatus> {
	const page = await readPages((filter) => call.client.runners.list(filter), limitOf(call));
	const rows = page.data.map(({ id, state, displays, runningJobIds, waitingJobIds, version, labels, name }) => [
		String(id),
		coloredState(state),
		displays.map((display) => `${display.id} ${display.width}x${display.height}`).join(", ") || "-",
		String(runningJobIds.length),
		String(waitingJobIds.length),
		version,
		labelText(labels) || "-",
		name,
	]);
	const columns = ["ID", "STATE", "DISPLAYS", "RUNNING", "QUEUED", "VERSION", "LABELS", "NAME"];
	const none = "No runners yet; the dashboard says under Runners how to add one.";
	call.print(page, rows.length === 0 ? none : table(columns, rows));
	remarkMore(call, page.nextCursor);
	return EXIT.done;
}

export const command = apiCommand({
	usage: "tapedeck runners [--limit <count>]",
	about: "Lists the runners with their displays and jobs.",
	options: [option("--limit <count>", "how many; default 50")],
	run,
});
