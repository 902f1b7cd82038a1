import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { RecordingsPage } from "#components/recordings/library/recordings-page.tsx";
import { requireSession } from "../require-session.ts";

export const metadata: Metadata = { title: "Recordings" };

export default async function Page({ searchParams }: PageProps) {
	await requireSession("/recordings", await searchParams);
	return <RecordingsPage />;
}
