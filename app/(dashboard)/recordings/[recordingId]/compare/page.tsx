import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ComparePage } from "#components/recordings/compare/compare-page.tsx";
import { startSecondsOf } from "#components/recordings/player/player-link.ts";
import { requireSession } from "../../../require-session.ts";

export const metadata: Metadata = { title: "Compare" };

const ID = /^[1-9]\d{0,15}$/;

export default async function Page({
	params,
	searchParams,
}: {
	params: Promise<{ recordingId: string }>;
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
	const { recordingId } = await params;
	const search = await searchParams;
	const other = [search.with].flat()[0];
	if (!ID.test(recordingId) || (other !== undefined && !ID.test(other))) notFound();
	await requireSession(`/recordings/${recordingId}/compare`, search);
	return (
		<ComparePage
			recordingId={Number(recordingId)}
			withId={other === undefined ? null : Number(other)}
			startSeconds={startSecondsOf(search.t)}
		/>
	);
}
