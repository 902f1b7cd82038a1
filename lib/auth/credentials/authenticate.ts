/** Who is calling: read from the request's headers, on every call. */
import { scopesOfRole } from "../../contract/credential.ts";
import { ROLES, type Role } from "../../contract/organization.ts";
import type { Actor } from "../../core/context.ts";
import { TapedeckError } from "../../core/errors.ts";
import type { AuthDeps } from "../auth.ts";
import { remembered } from "../credential-cache.ts";
import { hashSecret } from "../credential-secret.ts";
import { scopesIn, selectApiKeys } from "./credential-view.ts";
import { noteUse } from "../last-use.ts";

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
export function bearerToken(headers: Headers): string | null {
	const match = /^Bearer(?:\s+(.*))?$/i.exec(headers.get("authorization")?.trim() ?? "");
	return match === null ? null : (match[1]?.trim() ?? "");
}

/**
 * Who is calling. A Bearer token beats a cookie, and a bad one is not made good by a cookie.
 * @param wantedOrganizationId the organization that the call names; a user without it acts for the active one,
 * else for the first one.
 * @returns null without credentials, and when they are unknown or revoked.
 * @throws unauthorized for a key or token that has expired, to who holds it; forbidden when the organization is not the
 * caller's.
 */
export async function authenticate(
	deps: AuthDeps,
	headers: Headers,
	wantedOrganizationId?: number,
): Promise<Actor | null> {
	const token = bearerToken(headers);
	const actor = token === null ? await userActor(deps, headers, wantedOrganizationId) : await keyActor(deps, token);
	if (actor !== null && wantedOrganizationId !== undefined && actor.organizationId !== wantedOrganizationId) {
		throw new TapedeckError("forbidden", "organizationId names an organization that is not yours. Leave it out.");
	}
	return actor;
}

async function keyActor(deps: AuthDeps, token: string): Promise<KeyActor | null> {
	if (token === "") return null;
	// Only the hash is looked for: how long that takes tells nothing about a secret that is not known.
	const hash = hashSecret(token);
	const known = await remembered(deps.db, hash, () => readKey(deps, hash, token.startsWith("tdr_")));
	if (known === null) return null;
	const now = deps.clock.now();
	const { actor } = known;
	if (known.expiresAt !== null && known.expiresAt <= now) throw expired(actor, known.expiresAt);
	if (actor.kind === "apiKey") noteUse(deps, "apiKey", actor.apiKeyId, known.lastUsedAt, now);
	else noteUse(deps, "runnerToken", actor.runnerTokenId, known.lastUsedAt, now);
	return actor;
}

function expired(actor: KeyActor, at: number): TapedeckError {
	const when = new Date(at).toISOString();
	return new TapedeckError(
		"unauthorized",
		actor.kind === "apiKey"
			? `This API key expired at ${when}. Make a new one under Settings.`
			: `This runner token was replaced by another and ended at ${when}. Start the runner with the new one.`,
	);
}

/** Looks where the secret's beginning says first; one that a person chose may begin with anything. */
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
	// A key does not outlive its maker's membership, and does no more than its maker may do now.
	if (row.createdByUserId !== null && row.makerRole === null) return null;
	const allowed = row.makerRole === null ? null : scopesOfRole(row.makerRole);
	return {
		actor: {
			kind: "apiKey",
			organizationId: row.organizationId,
			apiKeyId: row.id,
			name: row.name,
			scopes: scopesIn(row.scopes).filter((scope) => allowed === null || allowed.includes(scope)),
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

async function userActor(deps: AuthDeps, headers: Headers, wanted: number | undefined): Promise<Actor | null> {
	const cookie = deps.auth.sessionCookie(headers);
	if (cookie === null) return null;
	const user = await remembered(deps.db, `session ${cookie}`, () => readUser(deps, headers));
	if (user === null) return null;
	noteUse(deps, "session", user.sessionId, user.lastSeenAt, deps.clock.now());
	const membership =
		wanted === undefined
			? (user.memberships.find((each) => each.organizationId === user.activeOrganizationId) ?? user.memberships[0])
			: user.memberships.find((each) => each.organizationId === wanted);
	if (membership === undefined) {
		throw new TapedeckError(
			"forbidden",
			wanted === undefined
				? "You belong to no organization. Ask an owner to invite you."
				: "organizationId names an organization that you do not belong to. Leave it out, or name one of yours.",
		);
	}
	return { kind: "user", userId: user.userId, name: user.name, ...membership };
}

async function readUser({ db, auth }: AuthDeps, headers: Headers): Promise<KnownUser | null> {
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
