import type { Metadata } from "next";
import { SettingsPage } from "#components/settings/settings-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
	await requireSession("/settings");
	return <SettingsPage />;
}
