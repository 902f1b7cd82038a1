import type { ReactNode } from "react";
import { AppShell } from "#components/shell/app-shell.tsx";
import { pageSession } from "#lib/server/page-context.ts";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
	const user = await pageSession();
	// Signed-out visitors are redirected by the page, which knows its URL.
	return user === null ? children : <AppShell user={user}>{children}</AppShell>;
}
