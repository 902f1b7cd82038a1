/**
 * Permissions: who may read, record, change and delete what. One table for people, API keys and runners. Every endpoint
 * declares one of these permissions, lib/access/authorize.ts checks it, and pages ask `can` before they offer an action.
 * Without zod, because every page loads this file.
 */

export const SCOPES = [
	"jobs:read",
	"jobs:write",
	"recordings:read",
	"recordings:write",
	"runners:read",
	"runners:write",
	"metrics:read",
	"settings:write",
] as const;
export type Scope = (typeof SCOPES)[number];

/** Keys and runner tokens may make recordings, screenshots, and uploads of files: those that they list, or all without a list. */
export const CAPABILITIES = ["record", "screenshot", "upload"] as const;
export type Capability = (typeof CAPABILITIES)[number];

export const ROLES = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** The roles from lowest to highest. */
const ROLE_ORDER: readonly Role[] = ROLES.toReversed();

export type PermissionRule = {
	/**
	 * The lowest role that has the permission. The creator of an API key needs it too: a key can do no more than its
	 * creator.
	 */
	role?: Role;
	/** The scope that an API key needs, or "any" for every key. If omitted, keys are refused. */
	scope?: Scope | "any";
	/** Granted to runner tokens. */
	runner?: true;
};

export const PERMISSIONS = {
	"jobs:read": { role: "viewer", scope: "jobs:read" },
	"jobs:write": { role: "member", scope: "jobs:write" },
	"recordings:read": { role: "viewer", scope: "recordings:read" },
	"recordings:write": { role: "member", scope: "recordings:write" },
	/** Create URLs that play a recording without signing in. */
	"recordings:share": { role: "member", scope: "recordings:read" },
	/** Resumable uploads: people and keys upload files, runners the videos of their jobs and of the folders that they watch. */
	"recordings:upload": { role: "member", scope: "recordings:write", runner: true },
	"runners:read": { role: "viewer", scope: "runners:read" },
	"runners:rename": { role: "member", scope: "runners:write" },
	/** Add and remove runners. */
	"runners:manage": { role: "admin", scope: "runners:write" },
	"metrics:read": { role: "viewer", scope: "metrics:read" },
	"identity:read": { role: "viewer", scope: "any" },
	/** A person's own name, password and sessions. */
	"account:manage": { role: "viewer" },
	/** A person's own saved views; changing the organization's also depends on the role (lib/recordings/saved-views). */
	"views:use": { role: "viewer" },
	"members:read": { role: "viewer" },
	/** Leave the organization; removing others also depends on their roles (lib/auth/members). */
	"members:leave": { role: "viewer" },
	/** Retention, and what applies to jobs that say nothing else. */
	"settings:write": { role: "admin", scope: "settings:write" },
	/** Members, invitations, API keys, runner tokens, the audit log and the organization itself. */
	"organization:manage": { role: "admin" },
	"organization:transfer": { role: "owner" },
	"organization:delete": { role: "owner" },
	/** The runner protocol: sign-in, long poll, reports, images. */
	"runner:act": { runner: true },
} as const satisfies Record<string, PermissionRule>;
export type Permission = keyof typeof PERMISSIONS;

/** Whether this role has the permission. */
export function can(role: Role, permission: Permission): boolean {
	const { role: least }: PermissionRule = PERMISSIONS[permission];
	return least !== undefined && ROLE_ORDER.indexOf(role) >= ROLE_ORDER.indexOf(least);
}

/** The roles that a person with this role can grant and revoke. */
export const rolesWithin = (role: Role): readonly Role[] => {
	if (!can(role, "organization:manage")) return [];
	return ROLE_ORDER.slice(0, ROLE_ORDER.indexOf(role) + 1).toReversed();
};

/** The scopes that are useful to a key whose creator has this role: a key can do no more than its creator. */
export function scopesOfRole(role: Role): readonly Scope[] {
	const rules = Object.entries(PERMISSIONS) as [Permission, PermissionRule][];
	return SCOPES.filter((scope) => rules.some(([permission, rule]) => rule.scope === scope && can(role, permission)));
}
