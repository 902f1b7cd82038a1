/** Watches, during long calls, whether the caller still has access. */
import type { Actor } from "#lib/core/context.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import type { AuthDeps } from "../better-auth/auth.ts";
import { authenticate } from "./authenticate.ts";

/** `signal` is aborted once the caller loses access; `end` stops the watch. */
export type AccessWatch = { signal: AbortSignal; end(): void };

/**
 * Catches what this process is not notified of: expiries, and revocations in another process (cached for up to 2 s).
 */
const CHECK_INTERVAL_MS = 2_500;

/**
 * Authenticates again whenever credentials change in this process, and every 2.5 s.
 * @param actor the caller when the call was admitted.
 * @returns a watch whose signal is aborted once the credentials no longer belong to that actor: revoked, expired,
 *   signed out, removed, or with different permissions.
 */
export const watchCredential = (deps: AuthDeps, headers: Headers, actor: Actor): AccessWatch =>
	watchActor(deps, actor, () => authenticate(deps, headers, actor.organizationId));

/**
 * Watches access of any kind, such as by a link.
 * @param authenticateAgain identifies the caller now; a TapedeckError means that access is lost.
 */
export function watchActor(deps: AuthDeps, actor: Actor, authenticateAgain: () => Promise<Actor | null>): AccessWatch {
	const lost = new AbortController();
	const before = rightsOf(actor);
	const check = async () => {
		try {
			const now = await authenticateAgain();
			if (rightsOf(now) !== before) lost.abort();
		} catch (error) {
			if (isTapedeckError(error)) lost.abort();
			else deps.log.error({ err: error }, "could not check the credentials of an open stream");
		}
	};
	const timer = setInterval(check, CHECK_INTERVAL_MS);
	timer.unref();
	const stopListening = deps.credentials.onForget(check);
	return {
		signal: lost.signal,
		end() {
			clearInterval(timer);
			stopListening();
		},
	};
}

/** Identity and permissions without the name: a rename must not end an upload. */
const rightsOf = (actor: Actor | null): string => JSON.stringify({ ...actor, name: undefined });
