import type { ReactNode } from "react";
import { SettingsFrame } from "#components/settings/settings-frame.tsx";
import { pageSession } from "#lib/server/page-context.ts";

export default async function SettingsLayout({ children }: { children: ReactNode }) {
	// Nobody is signed in: the page itself, which knows its address, sends them to sign in.
	return (await pageSession()) === null ? children : <SettingsFrame>{children}</SettingsFrame>;
}
