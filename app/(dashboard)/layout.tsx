import type { ReactNode } from "react";
import { AppShell } from "#components/shell/app-shell.tsx";
import { pageSession } from "#lib/server/page-context.ts";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
	const user = await pageSession();
	// Nobody is signed in: the page itself, which knows its address, sends them to sign in.
	return user === null ? children : <AppShell user={user}>{children}</AppShell>;
}
