import type { ReactNode } from "react";
import { SettingsFrame } from "#components/settings/settings-frame.tsx";
import { pageSession } from "#lib/server/page-context.ts";

export default async function SettingsLayout({ children }: { children: ReactNode }) {
	// Signed-out visitors are redirected by the page, which knows its URL.
	return (await pageSession()) === null ? children : <SettingsFrame>{children}</SettingsFrame>;
}
