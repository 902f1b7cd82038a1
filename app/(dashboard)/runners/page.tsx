import type { Metadata } from "next";
import { RunnersPage } from "#components/runners/runners-page.tsx";
import { pageTitles } from "#lib/texts/pages.ts";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: pageTitles.runners };

export default async function Page() {
	await requireSession("/runners");
	return <RunnersPage />;
}
