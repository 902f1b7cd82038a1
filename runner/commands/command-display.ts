/** The virtual display of a command: the runner of this machine lends it, if it makes displays. Otherwise, we start Xvfb. */
import { childEnvironment } from "../config/settings.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import type { DisplayOrder } from "../control/messages.ts";
import { type DisplayMode, startVirtualDisplay } from "../displays/virtual-display.ts";
import { type Call, CommandError } from "./command.ts";
import { findDataDir } from "./find-runner.ts";

const STATUS_MS = 2_000;

export interface CommandDisplay {
	/** `:104` */
	id: string;
	/** Ends it. Resolves when it is gone. */
	stop(): Promise<void>;
}

/**
 * @param order what the command asks for; the runner's settings apply to what is omitted.
 * @param own the mode of a display that we start.
 * @throws NoDisplayError, ControlError.
 */
export async function displayFor(call: Call, order: DisplayOrder, own: DisplayMode): Promise<CommandDisplay> {
	const client = await lender(call);
	if (client === null) return startVirtualDisplay(own, childEnvironment(call.env));
	return client.borrowDisplay(order, (sentence) => call.remark(`tapedeck: ${sentence}`));
}

/** The runner of this machine if it makes virtual displays; else null. */
async function lender(call: Call): Promise<ControlClient | null> {
	try {
		const client = new ControlClient(await findDataDir(call));
		const { virtualDisplays, ending } = await client.status(STATUS_MS);
		// An older runner has none.
		return !ending && (virtualDisplays?.maximum ?? 0) > 0 ? client : null;
	} catch (error) {
		// There is none, or several, or that of another user.
		if (error instanceof ControlError || error instanceof CommandError) return null;
		throw error;
	}
}
