import type { Metadata } from "next";
import { RecordingsPage } from "#components/recordings/recordings-page.tsx";
import { pageTitles } from "#lib/texts/pages.ts";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: pageTitles.recordings };

export default async function Page({
	searchParams,
}: {
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
	await requireSession("/recordings", await searchParams);
	return <RecordingsPage />;
}
