"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { gather } from "#lib/client/live/batch.ts";
import { applyLiveEvents, keepEvents } from "#lib/client/live/live-cache.ts";
import { followLiveEvents, type LiveState } from "#lib/client/live-updates.ts";
import { watchReader } from "#lib/client/reader.ts";
import { meQuery } from "#lib/client/session.ts";
import type { LiveEvent } from "#lib/contract/live-event.ts";

/** So often at most do events change the page: quicker than anyone reads, and cheap when a hundred come at once. */
const GATHER_MS = 200;
/** So long at most do events wait for a reader who scrolls or types on and on. */
const PATIENCE_MS = 5_000;

const LiveStateContext = createContext<LiveState>("connecting");

/** Whether what is on the page is kept up to date. */
export const useLiveState = (): LiveState => useContext(LiveStateContext);

/** Keeps the caches of this tab up to date. */
export function LiveUpdates({ streamName, children }: { streamName: string; children: ReactNode }) {
	const client = useQueryClient();
	const [state, setState] = useState<LiveState>("connecting");
	useEffect(() => {
		const letGo = keepEvents(client);
		const reader = watchReader();
		const events = gather<LiveEvent>(GATHER_MS, (some) => applyLiveEvents(client, some), {
			suits: reader.restsAt,
			patienceMs: PATIENCE_MS,
		});
		const leave = followLiveEvents(streamName, {
			onEvent: events.add,
			onState: setState,
			onRefused: () => void client.prefetchQuery({ ...meQuery(), staleTime: 0, retry: false }),
		});
		return () => {
			leave();
			events.end();
			reader.end();
			letGo();
		};
	}, [client, streamName]);
	return <LiveStateContext value={state}>{children}</LiveStateContext>;
}
