import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { PageProps } from "#app/page-props.ts";
import { startSecondsOf } from "#components/recordings/player/player-link.ts";
import { RecordingPage } from "#components/recordings/player/recording-page.tsx";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Recordings" };

export default async function Page({ params, searchParams }: PageProps<{ recordingId: string }>) {
	const { recordingId } = await params;
	if (!/^[1-9]\d{0,15}$/.test(recordingId)) notFound();
	const search = await searchParams;
	await requireSession(`/recordings/${recordingId}`, search);
	return (
		<RecordingPage
			// Another moment or result of the same recording is a page of its own: its video starts elsewhere.
			key={`${recordingId} ${search.t} ${search.result}`}
			recordingId={Number(recordingId)}
			startSeconds={startSecondsOf(search.t)}
		/>
	);
}
