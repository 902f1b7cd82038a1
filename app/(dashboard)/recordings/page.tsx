import type { Metadata } from "next";
import { RecordingsPage } from "#components/recordings/library/recordings-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Recordings" };

export default async function Page({
	searchParams,
}: {
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
	await requireSession("/recordings", await searchParams);
	return <RecordingsPage />;
}
