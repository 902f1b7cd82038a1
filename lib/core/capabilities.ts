/** The capabilities of API keys and runner tokens, in addition to their scopes and limits. */
import type { JobType } from "@tapedeck/contract/job-status.ts";
import type { Capability } from "@tapedeck/contract/permissions.ts";
import type { Context } from "./context.ts";
import { TapedeckError } from "./errors.ts";

export const CAPABILITY_OF: Record<JobType, Capability> = {
	recording: "record",
	screenshot: "screenshot",
	file_upload: "upload",
};
export const DOES: Record<Capability, string> = {
	record: "record",
	screenshot: "take screenshots",
	upload: "upload files",
};

/** @throws forbidden for an API key without the capability. The limits of runners' tokens: see lib/lifecycle/token-limits.ts. */
export function assertCapable({ actor }: Pick<Context, "actor">, capability: Capability): void {
	if (actor.kind !== "apiKey" || (actor.capabilities?.includes(capability) ?? true)) return;
	throw new TapedeckError(
		"forbidden",
		`This API key may not ${DOES[capability]}. Use a key whose capabilities have "${capability}".`,
	);
}
