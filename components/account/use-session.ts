"use client";

import type { SessionUser } from "@tapedeck/contract/identity.ts";
import { can, type Permission } from "@tapedeck/contract/permissions.ts";
import { createContext, useContext } from "react";

export const SessionContext = createContext<SessionUser | null>(null);

/** The signed-in user. For components of the dashboard's pages. */
export function useSession(): SessionUser {
	const user = useContext(SessionContext);
	if (user === null) throw new Error("useSession needs a SessionProvider above it.");
	return user;
}

/** Whether the user has this permission; false when nobody is signed in. What is not permitted is not offered. */
export function useCan(permission: Permission): boolean {
	const user = useContext(SessionContext);
	return user !== null && can(user.role, permission);
}
