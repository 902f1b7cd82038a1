"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { followSession, reloadForOrganization } from "#components/session/session-changes.ts";
import { SessionProvider } from "#components/session/session-provider.tsx";
import { Toaster } from "#components/ui/toaster.tsx";
import { createQueryClient } from "#lib/client/query-client.ts";
import type { SessionUser } from "#lib/contract/organization.ts";
import { LiveUpdates } from "./live-updates.tsx";

/** Leaves for the sign-in page and comes back to this address afterwards. */
function goToSignIn(): void {
	const here = location.pathname + location.search;
	location.assign(`/login?next=${encodeURIComponent(here)}`);
}

/** What every page of the dashboard shares: caches, live updates, toasts. */
export function Providers({ user, children }: { user: SessionUser; children: ReactNode }) {
	const [client] = useState(() => createQueryClient(goToSignIn));
	useEffect(() => followSession((change) => (change === "signed-out" ? goToSignIn() : reloadForOrganization())), []);
	return (
		<QueryClientProvider client={client}>
			<SessionProvider user={user}>
				<LiveUpdates streamName={String(user.organizationId)}>{children}</LiveUpdates>
			</SessionProvider>
			<Toaster />
		</QueryClientProvider>
	);
}
