"use client";

import { clsx } from "clsx";
import { type Tab, Tabs } from "#components/ui/tabs.tsx";
import { MarkerForm, MarkerList } from "./marker-list.tsx";
import type { Markers } from "./markers.tsx";
import { usePlayerState } from "./use-player.tsx";

/** The form for a new marker: closed while `seconds` is null. */
interface MarkerFormState {
	/** The position at which the form was opened. */
	seconds: number | null;
	close(): void;
}

/** Tabs that a page adds to its player's panel, before and after those that every player has. */
export interface PageTabs {
	/** About moments of the video. */
	before: readonly Tab[];
	/** About the recording as a whole. */
	after: readonly Tab[];
}

interface Props {
	markers: Markers;
	form: MarkerFormState;
	/** A tab for each of the recording's tracks. */
	tracks: readonly Tab[];
	/** Null outside of the page of a recording, where the panel has less space. */
	page: PageTabs | null;
}

/**
 * The panel with everything about a video except its frames, in tabs, and the form for a new marker. On wide screens it
 * is next to the video if one of its items has a time, otherwise below. In full screen only the form appears, because
 * the video takes all the space.
 */
export function PlayerPanel({ markers, form, tracks, page }: Props) {
	const fullScreen = usePlayerState((state) => state.fullScreen);
	const timed = [
		...(page?.before ?? []),
		...(markers.all.length === 0
			? []
			: [{ id: "markers", title: "Markers", content: <MarkerList markers={markers} /> }]),
		...tracks,
	];
	const tabs = fullScreen ? [] : [...timed, ...(page?.after ?? [])];
	if (form.seconds === null && tabs.length === 0) return null;
	const isBeside = !fullScreen && timed.length > 0;
	return (
		<div
			data-beside={isBeside ? "" : undefined}
			className={clsx(
				"flex shrink-0 flex-col border-line border-t",
				isBeside && "@min-[960px]:relative @min-[960px]:max-h-none @min-[960px]:border-s @min-[960px]:border-t-0",
				isBeside &&
					(page === null
						? clsx(tracks.length === 0 ? "max-h-72" : "h-72", "@min-[960px]:h-auto @min-[960px]:w-76")
						: "h-[60dvh] @min-[960px]:h-auto @min-[960px]:w-104 @min-[1500px]:w-136"),
			)}
		>
			<div className={clsx("flex min-h-0 flex-1 flex-col", isBeside && "@min-[960px]:absolute @min-[960px]:inset-0")}>
				{form.seconds === null ? null : <MarkerForm seconds={form.seconds} onAdd={markers.add} onClose={form.close} />}
				{tabs.length > 1 ? <Tabs fill label="About the video" tabs={tabs} /> : tabs[0]?.content}
			</div>
		</div>
	);
}
