/** Identifies the caller from the request's headers, on every call. */
import { CAPABILITIES, ROLES, type Role } from "@tapedeck/contract/permissions.ts";
import type { Actor } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import { timestamp } from "#lib/core/times.ts";
import type { AuthDeps } from "../better-auth/auth.ts";
import { capabilitiesIn, scopesIn, selectApiKeys } from "./credential-view.ts";

type KeyActor = Extract<Actor, { kind: "apiKey" | "runner" }>;
type KnownKey = { actor: KeyActor; expiresAt: number | null; lastUsedAt: number | null };
type KnownUser = {
	sessionId: number;
	lastSeenAt: number;
	userId: number;
	name: string;
	activeOrganizationId: number | null;
	memberships: { organizationId: number; role: Role }[];
};

/** The Bearer token of the Authorization header; null for none and for other schemes (a proxy's Basic). */
export function bearerToken(headers: RequestHeaders): string | null {
	const match = /^Bearer(?:\s+(.*))?$/is.exec(headers.get("authorization")?.trim() ?? "");
	return match === null ? null : (match[1]?.trim() ?? "");
}

/**
 * Identifies the caller. A Bearer token takes precedence over a cookie, even if the token is invalid.
 * @param wantedOrganizationId the organization that the call names; without it a user acts for their active
 *   organization, or else for their first.
 * @returns null without credentials, and when they are unknown or revoked.
 * @throws unauthorized for an expired key or token (only its holder learns this); forbidden when the organization is
 *   not the caller's.
 */
export async function authenticate(
	deps: AuthDeps,
	headers: RequestHeaders,
	wantedOrganizationId?: number,
): Promise<Actor | null> {
	const token = bearerToken(headers);
	const actor = token === null ? await userActor(deps, headers, wantedOrganizationId) : await keyActor(deps, token);
	if (actor !== null && wantedOrganizationId !== undefined && actor.organizationId !== wantedOrganizationId) {
		throw new TapedeckError("forbidden", "organizationId is not your organization. Leave it out.");
	}
	return actor;
}

async function keyActor(deps: AuthDeps, token: string): Promise<KeyActor | null> {
	if (token === "") return null;
	// Looks up the hash only, so that timing reveals nothing about valid secrets.
	const hash = hashSecret(token);
	const known = await deps.credentials.get(hash, () => readKey(deps, hash, token.startsWith("tdr_")));
	if (known === null) return null;
	const now = deps.clock.now();
	const { actor } = known;
	if (known.expiresAt !== null && known.expiresAt <= now) throw expired(actor, known.expiresAt);
	if (actor.kind === "apiKey") deps.lastUses.note("apiKey", actor.apiKeyId, known.lastUsedAt, now);
	else deps.lastUses.note("runnerToken", actor.runnerTokenId, known.lastUsedAt, now);
	return actor;
}

function expired(actor: KeyActor, at: number): TapedeckError {
	const when = timestamp(at);
	return new TapedeckError(
		"unauthorized",
		actor.kind === "apiKey"
			? `This API key expired at ${when}. Create a new one under Settings.`
			: `This runner token was replaced and expired at ${when}. Start the runner with the new token.`,
	);
}

/** Tries the table that the prefix suggests first; secrets chosen by an operator may have any prefix. */
async function readKey(deps: AuthDeps, hash: string, tokenFirst: boolean): Promise<KnownKey | null> {
	return tokenFirst
		? ((await readRunnerToken(deps, hash)) ?? (await readApiKey(deps, hash)))
		: ((await readApiKey(deps, hash)) ?? (await readRunnerToken(deps, hash)));
}

async function readApiKey({ db }: AuthDeps, hash: string): Promise<KnownKey | null> {
	const row = await selectApiKeys(db)
		.where("apiKey.hash", "=", hash)
		.where("apiKey.revokedAt", "is", null)
		.executeTakeFirst();
	if (row === undefined) return null;
	// A key does not outlive its creator's membership.
	if (row.createdByUserId !== null && row.creatorRole === null) return null;
	return {
		actor: {
			kind: "apiKey",
			organizationId: row.organizationId,
			apiKeyId: row.id,
			name: row.name,
			scopes: scopesIn(row.scopes),
			capabilities: capabilitiesIn(row.capabilities) ?? CAPABILITIES,
			creatorRole: row.creatorRole,
		},
		expiresAt: row.expiresAt,
		lastUsedAt: row.lastUsedAt,
	};
}

async function readRunnerToken({ db }: AuthDeps, hash: string): Promise<KnownKey | null> {
	const row = await db
		.selectFrom("runnerToken")
		.select(["id", "organizationId", "name", "lastUsedAt", "expiresAt"])
		.where("hash", "=", hash)
		.where("revokedAt", "is", null)
		.executeTakeFirst();
	if (row === undefined) return null;
	return {
		actor: { kind: "runner", organizationId: row.organizationId, runnerTokenId: row.id, name: row.name },
		expiresAt: row.expiresAt,
		lastUsedAt: row.lastUsedAt,
	};
}

async function userActor(
	deps: AuthDeps,
	headers: RequestHeaders,
	organizationId: number | undefined,
): Promise<Actor | null> {
	const cookie = deps.auth.sessionCookie(headers);
	if (cookie === null) return null;
	const user = await deps.credentials.get(`session ${cookie}`, () => readUser(deps, headers));
	if (user === null) return null;
	deps.lastUses.note("session", user.sessionId, user.lastSeenAt, deps.clock.now());
	const membership =
		organizationId === undefined
			? (user.memberships.find((each) => each.organizationId === user.activeOrganizationId) ?? user.memberships[0])
			: user.memberships.find((each) => each.organizationId === organizationId);
	if (membership === undefined) {
		throw new TapedeckError(
			"forbidden",
			organizationId === undefined
				? "You are not a member of any organization. Ask an owner to invite you."
				: "organizationId is an organization that you are not a member of. Leave it out, or send one of yours.",
		);
	}
	return { kind: "user", userId: user.userId, name: user.name, ...membership };
}

async function readUser({ db, auth }: AuthDeps, headers: RequestHeaders): Promise<KnownUser | null> {
	const session = await auth.session(headers);
	if (session === null) return null;
	const memberships = await db
		.selectFrom("member")
		.select(["organizationId", "role"])
		.where("userId", "=", session.userId)
		.orderBy("id")
		.execute();
	return {
		sessionId: session.id,
		lastSeenAt: session.lastSeenAt,
		userId: session.userId,
		name: session.name,
		activeOrganizationId: session.activeOrganizationId,
		memberships: memberships.filter((each) => ROLES.includes(each.role)),
	};
}
