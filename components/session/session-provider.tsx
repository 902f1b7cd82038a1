"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { ApiError } from "#lib/client/api.ts";
import { meQuery } from "#lib/client/session.ts";
import type { SessionUser } from "#lib/contract/organization.ts";
import { reloadForOrganization } from "./session-changes.ts";
import { SessionContext } from "./use-session.ts";

/** The signed-in user, kept up to date: a changed role shows and hides buttons, a removed member is sent to sign in. */
export function SessionProvider({ user, children }: { user: SessionUser; children: ReactNode }) {
	const { data, error } = useQuery({ ...meQuery(), initialData: user });
	const switched = data.organizationId !== user.organizationId;
	const removed = error instanceof ApiError && error.status === 403;
	useEffect(() => {
		if (removed) location.assign("/login");
		// What this page shows belongs to the organization that was active before.
		else if (switched) reloadForOrganization();
	}, [switched, removed]);
	return <SessionContext value={switched ? user : data}>{children}</SessionContext>;
}
