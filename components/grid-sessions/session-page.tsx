"use client";

import { useQuery } from "@tanstack/react-query";
import { AppWindow, VideoOff } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Link } from "#components/navigation/link.tsx";
import { RecordingNotFound } from "#components/recordings/recording-not-found.tsx";
import { usePageTitle } from "#components/shell/page-title.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { MISS_LABELS } from "./miss-labels.ts";
import { sessionQuery } from "./sessions.ts";

/** The page may be open under another name of this server than TAPEDECK_URL. */
function pathOf(url: string): string {
	const { pathname, search } = new URL(url);
	return `${pathname}${search}`;
}

/** Goes to the recording of a session as soon as there is one, and until then says what it waits for. */
export function SessionPage({ sessionId }: { sessionId: string }) {
	const router = useRouter();
	const { data: session, error } = useQuery(sessionQuery(sessionId));
	usePageTitle(session?.name ?? undefined);
	const address = session?.url ? pathOf(session.url) : null;
	useEffect(() => {
		if (address !== null) router.replace(address);
	}, [address, router]);
	return (
		<div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
			{error === null ? null : (
				<div className="p-4 md:p-6">
					<Notice tone="danger" alert>
						{`Couldn't load the session. ${errorMessage(error)}`}
					</Notice>
				</div>
			)}
			{session === undefined ? null : session?.state === "not_recorded" ? (
				<EmptyState
					icon={VideoOff}
					title="This session was not recorded"
					level="h1"
					actions={
						<Link href="/coverage" className={buttonClass("secondary")}>
							Show coverage
						</Link>
					}
				>
					{session.reason === null ? null : MISS_LABELS[session.reason]}
				</EmptyState>
			) : session?.state === "recorded" && address === null ? (
				<RecordingNotFound why="It was deleted or expired." />
			) : (
				<EmptyState icon={AppWindow} title="Waiting for the recording" level="h1">
					{session === null
						? "No runner has reported this session yet. This page opens the recording when one does."
						: "The session is being recorded. This page opens the recording when its first seconds have arrived."}
					<span className="mt-2 block font-mono text-xs break-all">{sessionId}</span>
				</EmptyState>
			)}
		</div>
	);
}
