import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { PageProps } from "#app/page-props.ts";
import { ComparePage } from "#components/recordings/compare/compare-page.tsx";
import { startSecondsOf } from "#components/recordings/player/player-link.ts";
import { requireSession } from "../../../require-session.ts";

export const metadata: Metadata = { title: "Compare" };

const ID = /^[1-9]\d{0,15}$/;

const idOrNull = (id: string | undefined): number | null => (id === undefined ? null : Number(id));

export default async function Page({ params, searchParams }: PageProps<{ recordingId: string }>) {
	const { recordingId } = await params;
	const search = await searchParams;
	const [other, result, against] = [search.with, search.result, search.against].map((value) => [value].flat()[0]);
	if ([recordingId, other, result, against].some((id) => id !== undefined && !ID.test(id))) notFound();
	await requireSession(`/recordings/${recordingId}/compare`, search);
	return (
		<ComparePage
			recordingId={Number(recordingId)}
			withId={idOrNull(other)}
			resultId={idOrNull(result)}
			againstId={idOrNull(against)}
			startSeconds={startSecondsOf(search.t)}
		/>
	);
}
