"use client";

import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import type { SessionUser } from "@tapedeck/contract/identity.ts";
import { type ReactNode, useEffect, useState } from "react";
import { followSession, goToSignIn, reloadForOrganization } from "#components/account/session-changes.ts";
import { SessionContext } from "#components/account/use-session.ts";
import { Toaster } from "#components/ui/toaster.tsx";
import { ApiError, whenSignedOut } from "#lib/client/api.ts";
import { createQueryClient } from "#lib/client/query-client.ts";
import { meQuery } from "#lib/client/session.ts";
import { LiveUpdates } from "./live-updates.tsx";

/** Shared context of all pages of the dashboard: caches, session, live updates, toasts. */
export function Providers({ user, children }: { user: SessionUser; children: ReactNode }) {
	const [client] = useState(createQueryClient);
	useEffect(() => whenSignedOut(() => goToSignIn("expired")), []);
	useEffect(
		() => followSession((change) => (change === "signed-out" ? goToSignIn("signed-out") : reloadForOrganization())),
		[],
	);
	return (
		<QueryClientProvider client={client}>
			<SessionProvider user={user}>
				<LiveUpdates streamName={String(user.organizationId)}>{children}</LiveUpdates>
			</SessionProvider>
			<Toaster />
		</QueryClientProvider>
	);
}

/** The signed-in user, kept up to date: a changed role shows and hides buttons, a removed member is sent to sign in. */
function SessionProvider({ user, children }: { user: SessionUser; children: ReactNode }) {
	const { data, error } = useQuery({ ...meQuery(), initialData: user });
	const switched = data.organizationId !== user.organizationId;
	const removed = error instanceof ApiError && error.status === 403;
	useEffect(() => {
		if (removed) location.assign("/login");
		// This page still shows data of the organization that was active before.
		else if (switched) reloadForOrganization();
	}, [switched, removed]);
	return <SessionContext value={switched ? user : data}>{children}</SessionContext>;
}
