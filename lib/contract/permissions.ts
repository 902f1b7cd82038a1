/** What each role may do: the server asks before it acts, the pages before they offer it. Without zod: every page reads it. */
import type { Role } from "./organization.ts";

/** From the least to the most. */
const ORDER: readonly Role[] = ["viewer", "member", "admin", "owner"];

const LEAST_ROLE = {
	/** Jobs, recordings, markers and shared links; a runner's name. */
	write: "member",
	/** Members, invitations, API keys, runner tokens, runners, retention, the audit log, the organization itself. */
	administer: "admin",
	transferOwnership: "owner",
} as const satisfies Record<string, Role>;
export type Permission = keyof typeof LEAST_ROLE;

export const can = (role: Role, permission: Permission): boolean =>
	ORDER.indexOf(role) >= ORDER.indexOf(LEAST_ROLE[permission]);

/** Roles that one of this role may give to others, and take from them. */
export const rolesWithin = (role: Role): readonly Role[] => {
	if (!can(role, "administer")) return [];
	return ORDER.slice(0, ORDER.indexOf(role) + 1).toReversed();
};
