/** Records sign-ins and sign-outs in the audit log of every organization that the person belongs to. */
import { audit } from "#lib/audit/write-audit.ts";
import { clientAddress } from "../sign-in/client-address.ts";
import type { AuthDeps, Session } from "./auth.ts";
import { AUTH_BASE_PATH } from "./auth-options.ts";

/** Calls that sign in without an email in their body. */
const SIGNS_IN = /^\/(callback\/|two-factor\/verify-|passkey\/verify-authentication$)/;

type Person = Pick<Session, "userId" | "name">;

/**
 * Serves a call of /api/auth and records what it did to a session.
 *
 * The entry follows the change, because it cannot share its transaction: better-auth (1.7) writes and deletes a session
 * outside of any, gives its hooks no database handle, and runs the hooks after a change only once that is committed.
 */
export async function handleAuth(deps: AuthDeps, request: Request): Promise<Response> {
	const path = new URL(request.url).pathname.slice(AUTH_BASE_PATH.length);
	const address = clientAddress(request.headers);
	const sent = path === "/sign-in/email" ? request.clone() : null;
	const leaving = path === "/sign-out" ? await deps.auth.session(request.headers) : null;
	const response = await deps.auth.handler(request);
	try {
		if (sent !== null) await afterPassword(deps, response, await emailIn(sent), address);
		else if (leaving !== null && response.ok) await note(deps, "session.ended", leaving, address);
		// A second factor completes a sign-in by password; of a wrong one, nobody is known.
		else if (SIGNS_IN.test(path)) await afterSignIn(deps, response, address);
	} catch (error) {
		// A failure to record must neither block nor undo the sign-in or sign-out.
		deps.log.error({ err: error }, "could not add a sign-in or sign-out to the audit log");
	}
	return response;
}

async function emailIn(request: Request): Promise<string | null> {
	const body: unknown = await request.json().catch(() => null);
	const email = typeof body === "object" && body !== null && "email" in body ? body.email : null;
	return typeof email === "string" ? email.toLowerCase() : null;
}

/** Records a wrong password for a known email. An unknown email belongs to no organization. */
async function afterPassword(deps: AuthDeps, response: Response, email: string | null, address: string | null) {
	if (email === null || !(response.ok || response.status === 401)) return;
	const user = await deps.db.selectFrom("user").select(["id", "name"]).where("email", "=", email).executeTakeFirst();
	// The second factor is yet to come.
	const isHalf = response.ok && response.headers.getSetCookie().some((cookie) => /two_factor=./.test(cookie));
	if (user === undefined || isHalf) return;
	const person = { userId: user.id, name: user.name };
	await note(deps, response.ok ? "session.started" : "session.refused", person, address);
}

async function afterSignIn(deps: AuthDeps, response: Response, address: string | null): Promise<void> {
	const cookie = response.headers
		.getSetCookie()
		.map((each) => each.split(";")[0])
		.join("; ");
	const session = cookie === "" ? null : await deps.auth.session(new Headers({ cookie }));
	if (session !== null) await note(deps, "session.started", session, address);
}

async function note(
	deps: AuthDeps,
	action: "session.started" | "session.ended" | "session.refused",
	{ userId, name }: Person,
	address: string | null,
): Promise<void> {
	const memberships = await deps.db
		.selectFrom("member")
		.select(["organizationId", "role"])
		.where("userId", "=", userId)
		.execute();
	const target = { kind: "user", id: userId, name } as const;
	for (const { organizationId, role } of memberships) {
		const ctx = { ...deps, address, actor: { kind: "user", organizationId, userId, name, role } as const };
		if (action === "session.refused")
			await audit(ctx, { action, target }, { kind: "visitor", id: null, name: "Someone" });
		else await audit(ctx, { action, target });
	}
}
