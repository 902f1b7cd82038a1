/** Watches, during long calls, whether the caller still has access. */
import type { Actor } from "#lib/core/context.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import type { AuthDeps } from "../better-auth/auth.ts";
import { authenticate } from "./authenticate.ts";

/** `end` stops the watch. */
export type AccessWatch = {
	/** Aborted once the caller loses access. Created on first use: most calls are over before they would need it. */
	readonly signal: AbortSignal;
	end(): void;
};

/**
 * Authenticates again whenever credentials change in this process, and every 2.5 s.
 * @param actor the caller when the call was admitted.
 * @returns a watch whose signal is aborted once the credentials no longer belong to that actor: revoked, expired,
 *   signed out, removed, or with different permissions.
 */
export const watchCredential = (deps: AuthDeps, headers: Headers, actor: Actor, onLoss?: () => void): AccessWatch =>
	watchActor(deps, actor, () => authenticate(deps, headers, actor.organizationId), onLoss);

/**
 * Watches access of any kind, such as by a link.
 * @param authenticateAgain identifies the caller now; a TapedeckError means that access is lost.
 * @param onLoss called once when access is lost.
 */
export function watchActor(
	deps: AuthDeps,
	actor: Actor,
	authenticateAgain: () => Promise<Actor | null>,
	onLoss?: () => void,
): AccessWatch {
	let lost: AbortController | null = null;
	let isLost = false;
	const lose = () => {
		if (isLost) return;
		isLost = true;
		lost?.abort();
		onLoss?.();
	};
	const check = async () => {
		try {
			const now = await authenticateAgain();
			if (rightsOf(now) !== rightsOf(actor)) lose();
		} catch (error) {
			if (isTapedeckError(error)) lose();
			else deps.log.error({ err: error }, "could not check the credentials of an open stream");
		}
	};
	const end = deps.credentials.watch(check);
	return {
		get signal() {
			lost ??= new AbortController();
			if (isLost) lost.abort();
			return lost.signal;
		},
		end,
	};
}

/** Identity and permissions without the name: a rename must not end an upload. */
const rightsOf = (actor: Actor | null): string => JSON.stringify({ ...actor, name: undefined });
