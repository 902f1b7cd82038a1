/** The displays of this machine, looked at once. */
import type { Display } from "#lib/contract/runner.ts";
import type { AllowedDisplays } from "./displays/allowed-displays.ts";
import type { DisplayName } from "./displays/display-name.ts";
import { Displays } from "./displays/displays.ts";

export interface SeenDisplay extends Display {
	/** As X programs take it: `:99.0`, `host:99.0`. */
	xName: string;
}

export interface SeenDisplays {
	displays: SeenDisplay[];
	/** Those that are there and say no, with the sentence that says why. */
	refused: { id: string; problem: string }[];
	/** What TAPEDECK_DISPLAY_ALLOW says; null when every display is served. */
	allowed: readonly string[] | null;
}

/** Opens every display that is allowed once. @param fixed what DISPLAY says. */
export async function lookAtDisplays(
	fixed: DisplayName | null,
	xauthority: string,
	allowed: AllowedDisplays,
): Promise<SeenDisplays> {
	const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
	const found = new Displays(fixed, xauthority, quiet, allowed);
	try {
		await found.start();
		return { displays: found.list(), refused: found.refused(), allowed: allowed.words };
	} finally {
		found.close();
	}
}
