/** Finds the display that an agent means: it rarely knows the ids of runners. */
import type { Runner } from "@tapedeck/contract/runner.ts";
import { invalid } from "#lib/core/errors.ts";
import { listRunners } from "#lib/runners/list-runners.ts";
import { assertMay, type ToolCall } from "./tool.ts";

const LOOKED_AT = 100;
/** More displays than these are not named. */
const MAX_NAMED = 20;

export interface FoundDisplay {
	runnerId: number;
	runner: string;
	displayId: string;
	width: number;
	height: number;
}

/**
 * The one display of a running runner that fits.
 * @param wanted.runner its name or its id.
 * @throws forbidden; validation_failed with the displays that there are, if none or several fit.
 */
export async function findDisplay(
	call: ToolCall,
	wanted: { display?: string | undefined; runner?: string | undefined },
): Promise<FoundDisplay> {
	assertMay(call, "runners:read");
	const { data } = await listRunners(call.ctx, call.app.runnerDownloads, { limit: LOOKED_AT });
	const all = data.filter(({ state }) => state === "online").flatMap(displaysOf);
	const fitting = all.filter(
		({ runner, runnerId, displayId }) =>
			(wanted.runner === undefined || wanted.runner === runner || wanted.runner === String(runnerId)) &&
			(wanted.display === undefined || wanted.display === displayId),
	);
	const [found] = fitting;
	if (found !== undefined && fitting.length === 1) return found;
	if (all.length === 0) {
		const message = "No runner is online, so there is no display. Start one on the machine with the display.";
		throw invalid({ path: "display", code: "not_found", message });
	}
	const named = (fitting.length > 0 ? fitting : all).slice(0, MAX_NAMED);
	const list = named.map(({ displayId, runner }) => `${displayId} of ${runner}`).join(", ");
	const message = `Send display and runner of one of these${fitting.length > 0 ? "" : ", because no other display is there"}: ${list}.`;
	throw invalid({ path: "display", code: fitting.length > 0 ? "ambiguous" : "not_found", message });
}

const displaysOf = ({ id, name, displays }: Runner): FoundDisplay[] =>
	displays.map((display) => ({
		...{ runnerId: id, runner: name, displayId: display.id },
		...{ width: display.width, height: display.height },
	}));
