import type { Metadata } from "next";
import type { PageProps } from "#app/page-props.ts";
import { SessionPage } from "#components/grid-sessions/session-page.tsx";
import { requireSession } from "../../require-session.ts";

export const metadata: Metadata = { title: "Session" };

/** Leads to the recording of a grid's session. A test can log this address before its session has ended. */
export default async function Page({ params }: PageProps<{ sessionId: string }>) {
	const { sessionId: encoded } = await params;
	const sessionId = decodeURIComponent(encoded);
	await requireSession(`/sessions/${encodeURIComponent(sessionId)}`);
	return <SessionPage sessionId={sessionId} />;
}
