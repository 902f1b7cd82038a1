"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Toaster } from "#components/ui/toaster.tsx";
import { timed } from "#lib/client/markers.ts";
import { createQueryClient } from "#lib/client/query-client.ts";
import type { Played } from "#lib/client/recordings.ts";
import type { SharedRecording } from "#lib/contract/link.ts";
import { RecordingPlayer } from "./recording-player.tsx";

interface Props {
	recording: SharedRecording;
	startSeconds: number;
}

/** The player for those who have a link: nobody is signed in, so there is nothing to change, share or delete. */
export function SharedPlayer({ recording, startSeconds }: Props) {
	const [client] = useState(() => createQueryClient(() => undefined));
	const played = useMemo(() => playedOf(recording), [recording]);
	return (
		<QueryClientProvider client={client}>
			<RecordingPlayer recording={played} startSeconds={startSeconds} preload="metadata" />
			<Toaster />
		</QueryClientProvider>
	);
}

/** What a link does not say of its recording, the player does not show. */
function playedOf({ markers, videoUrl, posterUrl, ...told }: SharedRecording): Played {
	// The page may be open under another name of this server than TAPEDECK_URL.
	const path = new URL(videoUrl).pathname.replace(/\/video$/, "");
	return {
		...told,
		id: 0,
		organizationId: 0,
		jobId: null,
		state: "ready",
		bytes: 0,
		createdAt: "",
		pinned: false,
		runnerId: null,
		verdict: null,
		url: "",
		videoUrl,
		posterUrl,
		shared: { path, markers: markers.map(timed) },
	};
}
