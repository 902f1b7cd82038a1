/** For calls that last: whether who called is still let in. */
import type { Actor } from "../core/context.ts";
import { isTapedeckError } from "../core/errors.ts";
import type { AuthDeps } from "./auth.ts";
import { authenticate } from "./credentials/authenticate.ts";
import { onForgotten } from "./credential-cache.ts";

/** For what this process is not told: an expiry, and a revocation in another process (remembered 2 s at most). */
const LOOK_EVERY_MS = 2_500;

/** What ends when who called is not let in any more, and what ends the watch. */
export type Watch = { signal: AbortSignal; end(): void };

/**
 * Asks again who is calling whenever credentials were changed in this process, and every 2.5 s.
 * @param actor who called when the call was admitted.
 * @returns a signal that is aborted once the credentials are no longer that actor's: revoked, expired, signed out,
 *   removed, or with other rights than before; and what ends the watch.
 */
export const watchCredential = (deps: AuthDeps, headers: Headers, actor: Actor): Watch =>
	watchActor(deps, actor, () => authenticate(deps, headers, actor.organizationId));

/**
 * The same for any way of being let in, such as a link.
 * @param judge says who the caller is now; what it throws of ours lets nobody in.
 */
export function watchActor(deps: AuthDeps, actor: Actor, judge: () => Promise<Actor | null>): Watch {
	const out = new AbortController();
	const before = JSON.stringify(actor);
	const look = async () => {
		try {
			const now = await judge();
			if (JSON.stringify(now) !== before) out.abort();
		} catch (error) {
			if (isTapedeckError(error)) out.abort();
			else deps.log.error({ err: error }, "the credentials of a lasting call could not be judged");
		}
	};
	const timer = setInterval(look, LOOK_EVERY_MS);
	timer.unref();
	const stopListening = onForgotten(deps.db, look);
	return {
		signal: out.signal,
		end() {
			clearInterval(timer);
			stopListening();
		},
	};
}
