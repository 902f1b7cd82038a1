"use client";

import {
	createContext,
	type ReactNode,
	type RefObject,
	useContext,
	useEffect,
	useState,
	useSyncExternalStore,
} from "react";
import type { Played } from "#lib/client/recordings.ts";
import { type PlayerState, PlayerStore } from "./player-store.ts";

const PlayerContext = createContext<PlayerStore | null>(null);

/** Gives the components below it one player of this recording. */
export function PlayerProvider(props: { recording: Played; startSeconds: number; children: ReactNode }) {
	const { recording, startSeconds, children } = props;
	const [store] = useState(() => new PlayerStore(recording, startSeconds));
	useEffect(() => store.update(recording), [store, recording]);
	return <PlayerContext value={store}>{children}</PlayerContext>;
}

/** Provides the components below it with a player that was created outside of them. */
export const SharedPlayer = ({ player, children }: { player: PlayerStore; children: ReactNode }) => (
	<PlayerContext value={player}>{children}</PlayerContext>
);

/** Lets a player drive a <video> while it is on the page. */
export function useAttached(
	player: PlayerStore,
	video: RefObject<HTMLVideoElement | null>,
	still: RefObject<HTMLCanvasElement | null>,
): void {
	useEffect(() => {
		if (video.current === null || still.current === null) return;
		return player.attach(video.current, still.current);
	}, [player, video, still]);
}

/** The player around a component: its commands. To show its state, use `usePlayerState`. */
export function usePlayer(): PlayerStore {
	const store = useContext(PlayerContext);
	if (store === null) throw new Error("usePlayer needs a PlayerProvider around it");
	return store;
}

/**
 * A part of the player's state; the component renders again only when this part changes.
 * @param select returns a primitive, or an object that the state itself holds.
 */
export function usePlayerState<T>(select: (state: PlayerState) => T): T {
	const { subscribe, getState } = usePlayer();
	const selected = () => select(getState());
	return useSyncExternalStore(subscribe, selected, selected);
}
