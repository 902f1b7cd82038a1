"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { ApiError } from "#lib/client/api.ts";
import { meQuery } from "#lib/client/session.ts";
import type { SessionUser } from "#lib/contract/organization.ts";
import { showOrganization } from "./switch-organization.ts";
import { SessionContext } from "./use-session.ts";

/** Who is signed in, kept up to date: a changed role shows and hides buttons, and who was removed is out. */
export function SessionProvider({ user, children }: { user: SessionUser; children: ReactNode }) {
	const { data, error } = useQuery({ ...meQuery(), initialData: user });
	const elsewhere = data.organizationId !== user.organizationId;
	const nowhere = error instanceof ApiError && error.status === 403;
	useEffect(() => {
		// What this page holds belongs to an organization that is not shown any more.
		if (nowhere) location.assign("/login");
		else if (elsewhere) showOrganization();
	}, [elsewhere, nowhere]);
	return <SessionContext value={elsewhere ? user : data}>{children}</SessionContext>;
}
