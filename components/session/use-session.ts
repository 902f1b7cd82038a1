"use client";

import { createContext, useContext } from "react";
import type { SessionUser } from "#lib/contract/organization.ts";

export const SessionContext = createContext<SessionUser | null>(null);

/** Who is signed in. For what stands inside the dashboard's frame. */
export function useSession(): SessionUser {
	const user = useContext(SessionContext);
	if (user === null) throw new Error("useSession is for the pages inside the dashboard's frame.");
	return user;
}

/** Whether the person may change jobs, recordings and runners: a viewer only looks, and is shown no such buttons. */
export const useMayWrite = (): boolean => useSession().role !== "viewer";

/** Whether the person may change what the organization sets: members, keys, tokens, retention. */
export function useMayAdminister(): boolean {
	const { role } = useSession();
	return role === "owner" || role === "admin";
}
