"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { LiveEvent } from "@tapedeck/contract/live-event.ts";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { createBatcher } from "#lib/client/live/batch.ts";
import { applyLiveEvents, keepEvents } from "#lib/client/live/live-cache.ts";
import { followLiveEvents, type LiveState } from "#lib/client/live/live-updates.ts";
import { watchUserActivity } from "#lib/client/live/user-activity.ts";
import { meQuery } from "#lib/client/session.ts";

/** Events change the page at most this often: quicker than anyone reads, and cheap when a hundred come at once. */
const BATCH_MS = 200;
/** Events wait no longer than this for a user who keeps scrolling or typing. */
const MAX_HOLD_MS = 5_000;

const LiveStateContext = createContext<LiveState>("connecting");

/** Whether what is on the page is kept up to date. */
export const useLiveState = (): LiveState => useContext(LiveStateContext);

/** Keeps the caches of this tab up to date. */
export function LiveUpdates({ streamName, children }: { streamName: string; children: ReactNode }) {
	const client = useQueryClient();
	const [state, setState] = useState<LiveState>("connecting");
	useEffect(() => {
		const stopKeeping = keepEvents(client);
		const activity = watchUserActivity();
		const events = createBatcher<LiveEvent>(BATCH_MS, (some) => applyLiveEvents(client, some), {
			holdUntil: activity.idleAt,
			maxHoldMs: MAX_HOLD_MS,
		});
		const leave = followLiveEvents(streamName, {
			onEvent: events.add,
			onState: setState,
			onRefused: () => void client.prefetchQuery({ ...meQuery(), staleTime: 0, retry: false }),
		});
		return () => {
			leave();
			events.end();
			activity.end();
			stopKeeping();
		};
	}, [client, streamName]);
	return <LiveStateContext value={state}>{children}</LiveStateContext>;
}
