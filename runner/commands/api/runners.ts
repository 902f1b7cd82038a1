/** `tapedeck runners`: lists the runners of the organization, or removes some. */
import type { RemovedRunners, Runner } from "@tapedeck/client-source/index.ts";
import { secondsOf } from "../../base/length.ts";
import { EXIT, type ExitStatus, usageError } from "../command.ts";
import { option } from "../define-command.ts";
import { type ApiCall, apiCommand, idOf, limitOf, readPages, remarkMore } from "./api-command.ts";
import { coloredState, labelText, table } from "./table.ts";

async function run(call: ApiCall): Promise<ExitStatus> {
	const { remove, removeOffline } = call.values;
	if (remove === undefined && removeOffline === undefined) return list(call);
	if (remove !== undefined && removeOffline !== undefined) throw usageError("Use either --remove or --remove-offline.");
	const ids =
		remove === undefined
			? await offlineFor(call, String(removeOffline))
			: String(remove)
					.split(",")
					.map((word) => idOf(word.trim(), "runner"));
	const runnerIds: number[] = [];
	for (let from = 0; from < ids.length; from += MOST_REMOVED) {
		const body = { runnerIds: ids.slice(from, from + MOST_REMOVED) };
		runnerIds.push(...(await call.client.request<RemovedRunners>("POST", "/v1/runners/remove", { body })).runnerIds);
	}
	call.print({ runnerIds }, `Removed ${runnerIds.length} ${runnerIds.length === 1 ? "runner" : "runners"}.`);
	return EXIT.done;
}

/** Per call of the API. */
const MOST_REMOVED = 100;
const MOST_RUNNERS = 100_000;

/** The ids of runners that have been offline for longer. */
async function offlineFor(call: ApiCall, length: string): Promise<number[]> {
	const seconds = secondsOf(length);
	if (seconds === null) throw usageError("--remove-offline: Use a length such as 12h or 7d, which is the longest.");
	const { data } = await readPages<Runner>((filter) => call.client.runners.list(filter), MOST_RUNNERS);
	const before = Date.now() - seconds * 1_000;
	const gone = data.filter(
		({ state, lastSeenAt }) => state === "offline" && (lastSeenAt === null || Date.parse(lastSeenAt) < before),
	);
	return gone.map(({ id }) => id);
}

async function list(call: ApiCall): Promise<ExitStatus> {
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
	usage: "tapedeck runners [--limit <count> | --remove <ids> | --remove-offline <length>]",
	about: `Lists the runners with their displays and jobs, or removes some. Jobs that wait for a removed runner fail, its
recordings are kept, and video that an offline one has not uploaded is lost.`,
	options: [
		option("--limit <count>", "how many; default 50"),
		option("--remove <ids>", "remove these runners, such as 3,4"),
		option("--remove-offline <length>", "remove the runners that have been offline for longer, such as 12h or 7d"),
	],
	run,
});
