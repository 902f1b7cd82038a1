/**
 * Authorizes a call: the one permission check that every call passes, by role for people and by scope for API keys.
 * Operations do not repeat it; they check only what depends on the data, such as who owns an upload.
 */
import { can, PERMISSIONS, type Permission, type PermissionRule } from "@tapedeck/contract/permissions.ts";
import type { Actor } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";
import { assertSameOrigin } from "./same-origin.ts";

export type CallToAuthorize = {
	/** "public": everyone may call, with or without credentials. */
	permission: Permission | "public";
	/** Null without valid credentials, which only public endpoints allow. */
	actor: Actor | null;
	method: string;
	headers: RequestHeaders;
	/** The call carries a Bearer token, which no other site can make a visitor's browser send. */
	hasToken: boolean;
	trustedOrigins: readonly string[];
};

/** @throws forbidden when the call comes from another site's page, or the caller lacks the permission. */
export function authorize({ permission, actor, method, headers, hasToken, trustedOrigins }: CallToAuthorize): void {
	if (!hasToken) assertSameOrigin(headers, method, trustedOrigins);
	if (permission === "public") return;
	const refusal = actor === null ? "Sign in first." : refusalOf(permission, actor);
	if (refusal !== null) throw new TapedeckError("forbidden", refusal);
}

/** @returns why the caller lacks the permission; null if they have it. */
export function refusalOf(permission: Permission, actor: Actor): string | null {
	const { role, scope, runner }: PermissionRule = PERMISSIONS[permission];
	switch (actor.kind) {
		case "user":
			if (role === undefined) return wrongCaller(permission);
			if (can(actor.role, permission)) return null;
			return `This needs the ${role} role in this organization, and yours is ${actor.role}. Ask an admin to change it.`;
		case "apiKey":
			if (scope === undefined) return wrongCaller(permission);
			if (scope !== "any" && !actor.scopes.includes(scope)) {
				return `This API key lacks the scope ${scope}. Use a key that has it.`;
			}
			if (actor.creatorRole === null || can(actor.creatorRole, permission)) return null;
			return `An API key can do no more than its creator, whose role is now ${actor.creatorRole}. This call needs ${role}. Use another key.`;
		case "runner":
			return runner === true ? null : wrongCaller(permission);
		case "link":
			return "This link plays one recording. It allows nothing else.";
		case "system":
			return null;
	}
}

function wrongCaller(permission: Permission): string {
	const { role, scope, runner }: PermissionRule = PERMISSIONS[permission];
	const callers = [
		role === undefined ? [] : ["signed-in users"],
		scope === undefined ? [] : ["API keys"],
		runner === undefined ? [] : ["runner tokens"],
	].flat();
	return `Only ${callers.join(" and ")} can make this call.`;
}
