/** The signed-in user, and signing out. Every page loads this, and none of what signs in. */
import { queryOptions } from "@tanstack/react-query";
import type { SessionUser } from "@tapedeck/contract/identity.ts";
import { call } from "./api.ts";

export const sessionKeys = { me: ["me"] as const, list: ["sessions"] as const };

/** The signed-in user. */
export const meQuery = () =>
	queryOptions({
		queryKey: sessionKeys.me,
		queryFn: ({ signal }) => call<SessionUser>("GET", "/v1/me", { signal }),
	});

export const signOut = (): Promise<void> => call("POST", "/api/auth/sign-out", { body: {} });
