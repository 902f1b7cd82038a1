/** For calls that last: whether who called is still let in. */
import type { Actor } from "../core/context.ts";
import { isTapedeckError } from "../core/errors.ts";
import type { AuthDeps } from "./auth.ts";
import { authenticate } from "./authenticate.ts";
import { onForgotten } from "./credential-cache.ts";

/** For what this process is not told: an expiry, and a revocation in another process (remembered 2 s at most). */
const LOOK_EVERY_MS = 2_500;

/**
 * Asks again who is calling whenever credentials were changed in this process, and every 2.5 s.
 * @param actor who called when the call was admitted.
 * @returns a signal that is aborted once the credentials are no longer that actor's: revoked, expired, signed out,
 *   removed, or with other rights than before; and what ends the watch.
 */
export function watchCredential(deps: AuthDeps, headers: Headers, actor: Actor): { signal: AbortSignal; end(): void } {
	const out = new AbortController();
	const before = JSON.stringify(actor);
	const look = async () => {
		try {
			const now = await authenticate(deps, headers, actor.organizationId);
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
