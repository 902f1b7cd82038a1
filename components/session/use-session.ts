"use client";

import { createContext, useContext } from "react";
import type { SessionUser } from "#lib/contract/organization.ts";
import { can, type Permission } from "#lib/contract/permissions.ts";

export const SessionContext = createContext<SessionUser | null>(null);

/** Who is signed in. For what stands inside the dashboard's frame. */
export function useSession(): SessionUser {
	const user = useContext(SessionContext);
	if (user === null) throw new Error("useSession is for the pages inside the dashboard's frame.");
	return user;
}

/** Whether whoever looks at the page may do this; nobody who is not signed in. What they may not is not offered. */
export function useCan(permission: Permission): boolean {
	const user = useContext(SessionContext);
	return user !== null && can(user.role, permission);
}
