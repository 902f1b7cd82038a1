/** Finds the display that an agent means: it rarely knows the ids of runners. */
import { NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { invalid } from "#lib/core/errors.ts";
import { listRunners } from "#lib/runners/list-runners.ts";
import { assertMay, type ToolCall } from "./tool.ts";

const LOOKED_AT = 100;
/** More displays than these are not named. */
const MAX_NAMED = 20;

export interface FoundPlace {
	runnerId: number;
	runner: string;
	displayId: string;
}

export interface FoundDisplay extends FoundPlace {
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

/**
 * The one running runner that makes displays, if a new one is wanted; else the one display that fits.
 * @throws like findDisplay.
 */
export async function findPlace(
	call: ToolCall,
	wanted: { display?: string | undefined; runner?: string | undefined },
): Promise<FoundPlace> {
	if (wanted.display !== NEW_DISPLAY) return findDisplay(call, wanted);
	assertMay(call, "runners:read");
	const { data } = await listRunners(call.ctx, call.app.runnerDownloads, { limit: LOOKED_AT });
	const able = data.filter(({ state, virtualDisplays }) => state === "online" && virtualDisplays !== null);
	const fitting = able.filter(
		({ id, name }) => wanted.runner === undefined || wanted.runner === name || wanted.runner === String(id),
	);
	const [found] = fitting;
	if (found !== undefined && fitting.length === 1)
		return { runnerId: found.id, runner: found.name, displayId: NEW_DISPLAY };
	if (able.length === 0) {
		const message = "No runner that is online makes displays. Set TAPEDECK_VIRTUAL_DISPLAYS for one, such as to 8.";
		throw invalid({ path: "display", code: "not_found", message });
	}
	const names = able.slice(0, MAX_NAMED).map(({ name }) => name);
	const message = `Send the runner that is to make the display, one of: ${names.join(", ")}.`;
	throw invalid({ path: "runner", code: fitting.length > 0 ? "ambiguous" : "not_found", message });
}

const displaysOf = ({ id, name, displays }: Runner): FoundDisplay[] =>
	displays.map((display) => ({
		runnerId: id,
		runner: name,
		displayId: display.id,
		width: display.width,
		height: display.height,
	}));
