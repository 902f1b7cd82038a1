/** Watches, during long calls, whether the caller still has access. */
import type { Actor } from "#lib/core/context.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";
import type { AuthDeps } from "../better-auth/auth.ts";
import { authenticate } from "./authenticate.ts";

export type AccessWatch = {
	readonly isLost: boolean;
	/** Stops the watch. */
	end(): void;
};

/**
 * Authenticates again whenever credentials change in this process, and every 2.5 s: once for all calls that the same
 * caller has open. Access is lost once the credentials no longer belong to that actor: revoked, expired, signed out,
 * removed, or with different permissions.
 *
 * @param actor the caller when the call was admitted.
 * @param onLoss called once when access is lost.
 */
export function watchCredential(
	deps: AuthDeps,
	headers: RequestHeaders,
	actor: Actor,
	onLoss?: () => void,
): AccessWatch {
	const credentials = [headers.get("authorization"), headers.get("cookie")];
	return watchAccess(deps, credentials, actor, () => authenticate(deps, headers, actor.organizationId), onLoss);
}

/**
 * The same for access by a link, which can be revoked or expire, too.
 * @param follow identifies the link's holder; a TapedeckError means that access is lost.
 */
export const watchLink = (
	deps: AuthDeps,
	{ pathname, search }: URL,
	actor: Actor,
	follow: () => Promise<Actor | null>,
	onLoss?: () => void,
): AccessWatch => watchAccess(deps, [pathname, search], actor, follow, onLoss);

function watchAccess(
	deps: AuthDeps,
	credentials: readonly unknown[],
	actor: Actor,
	authenticateAgain: () => Promise<Actor | null>,
	onLoss?: () => void,
): AccessWatch {
	const rights = rightsOf(actor);
	const hasAccess = async (): Promise<boolean> => {
		try {
			return rightsOf(await authenticateAgain()) === rights;
		} catch (error) {
			if (isTapedeckError(error)) return false;
			deps.log.error({ err: error }, "could not check the credentials of an open stream");
			return true;
		}
	};
	const watch = {
		isLost: false,
		end: deps.credentials.watch(JSON.stringify([...credentials, rights]), hasAccess, () => {
			watch.isLost = true;
			onLoss?.();
		}),
	};
	return watch;
}

/** Identity and permissions without the name: a rename must not end an upload. */
const rightsOf = (actor: Actor | null): string => JSON.stringify({ ...actor, name: undefined });
