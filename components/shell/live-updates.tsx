"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { applyLiveEvent } from "#lib/client/live-cache.ts";
import { followLiveEvents, type LiveState } from "#lib/client/live-updates.ts";
import { whoAmIQuery } from "#lib/client/who-am-i.ts";

const LiveStateContext = createContext<LiveState>("connecting");

/** Whether what is on the page is kept up to date. */
export const useLiveState = (): LiveState => useContext(LiveStateContext);

/** Keeps the caches of this tab up to date. */
export function LiveUpdates({ streamName, children }: { streamName: string; children: ReactNode }) {
	const client = useQueryClient();
	const [state, setState] = useState<LiveState>("connecting");
	useEffect(
		() =>
			followLiveEvents(streamName, {
				onEvent: (event) => applyLiveEvent(client, event),
				onState: setState,
				onRefused: () => void client.prefetchQuery(whoAmIQuery()),
			}),
		[client, streamName],
	);
	return <LiveStateContext value={state}>{children}</LiveStateContext>;
}
