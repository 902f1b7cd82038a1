/** Who may: the checks that verbs begin with. Scopes of API keys are checked at the edge, by `route`. */
import { can } from "../contract/permissions.ts";
import type { Context } from "./context.ts";
import { TapedeckError } from "./errors.ts";

/** @throws forbidden for those who may only look. */
export function assertMayWrite(ctx: Context): void {
	if (ctx.actor.kind === "link") throw new TapedeckError("forbidden", "This link plays a recording and nothing else.");
	if (ctx.actor.kind === "user" && !can(ctx.actor.role, "write")) {
		throw new TapedeckError(
			"forbidden",
			"Your role in this organization is viewer, which may look but not change anything. Ask an admin for another role.",
		);
	}
}

/** @throws forbidden for everyone but an organization's owners and admins. */
export function assertMayAdminister(ctx: Context): void {
	if (ctx.actor.kind === "system") return;
	if (ctx.actor.kind === "user" && can(ctx.actor.role, "administer")) return;
	throw new TapedeckError(
		"forbidden",
		"Only an owner or admin of the organization may do this, signed in to the dashboard.",
	);
}

/** Who acts, in the form that jobs and events keep. */
export function creatorOf(ctx: Context): { kind: "user" | "apiKey" | "runner"; id: number; name: string } | null {
	switch (ctx.actor.kind) {
		case "user":
			return { kind: "user", id: ctx.actor.userId, name: ctx.actor.name };
		case "apiKey":
			return { kind: "apiKey", id: ctx.actor.apiKeyId, name: ctx.actor.name };
		case "runner":
			return { kind: "runner", id: ctx.actor.runnerTokenId, name: ctx.actor.name };
		case "link":
		case "system":
			return null;
	}
}
