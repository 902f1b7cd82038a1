"use client";

import type { FirstDifference } from "@tapedeck/contract/first-difference.ts";
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import { useEffect, useRef, useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { call, errorMessage } from "#lib/client/api.ts";
import type { PairedPlayers } from "./paired-players.ts";

/** A part of the time line, in seconds. Without an end, it lasts until the videos end. */
export interface Stretch {
	from: number;
	to: number | null;
	/**
	 * Seconds by which the right video is ahead at the failure, and at the beginning of the step that failed; null without results of a
	 * test. Where a step waited until it failed, these differ.
	 */
	offsets: { atFailure: number; ofStep: number } | null;
}

/** Sums of seconds are seldom whole milliseconds. */
const rounded = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

interface Ids {
	leftId: number;
	rightId: number;
}

/**
 * Jumps to the first moment in a part of the time line at which the two videos, as they are aligned, differ.
 * @returns whether the search is running, and functions that start and cancel it.
 */
export function useFirstDifference(pair: PairedPlayers, { leftId, rightId }: Ids, { from, to, offsets }: Stretch) {
	const [isSearching, setSearching] = useState(false);
	const running = useRef<AbortController | null>(null);
	useEffect(() => () => running.current?.abort(), []);
	const search = async () => {
		if (running.current !== null) return running.current.abort();
		const controller = new AbortController();
		running.current = controller;
		setSearching(true);
		pair.pause();
		const { offset: shown } = pair.getState();
		// Beside a failure, the right video is at the end of the step. What comes first is found where both begin it.
		const offset = offsets !== null && shown === offsets.atFailure ? offsets.ofStep : shown;
		try {
			const { at, comparedTo } = await call<FirstDifference>("GET", `/v1/recordings/${leftId}/first-difference`, {
				query: { with: rightId, offset: rounded(offset), from: rounded(from), to: to && rounded(to) },
				signal: controller.signal,
			});
			if (at === null) toast.success(`No difference from ${formatInstant(from)} to ${formatInstant(comparedTo)}.`);
			else {
				pair.align(offset);
				pair.seek(at);
			}
		} catch (error) {
			if (!controller.signal.aborted) toast.error(`Couldn't compare the videos. ${errorMessage(error)}`);
		} finally {
			running.current = null;
			setSearching(false);
		}
	};
	return { isSearching, search };
}
