"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { recordingNowQuery } from "#lib/client/jobs.ts";

/** The titles that components ask for, the newest last: a drawer's stands while it is open, then its page's again. */
let titles: readonly { title: string }[] = [];
const listeners = new Set<() => void>();

function setTitles(next: typeof titles): void {
	titles = next;
	for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/**
 * Names the tab for as long as the caller is mounted.
 * @param title without the product's name; undefined while it is not known
 */
export function usePageTitle(title: string | undefined): void {
	useEffect(() => {
		if (title === undefined) return;
		const own = { title };
		setTitles([...titles, own]);
		return () => setTitles(titles.filter((one) => one !== own));
	}, [title]);
}

const RECORDING_ICON = "/icon-recording.svg";

/** The title and the icon of the tab, which also say how many jobs are recording. */
export function PageTitle() {
	const asked = useSyncExternalStore(
		subscribe,
		() => titles.at(-1)?.title ?? null,
		() => null,
	);
	// Kept up to date by live events, like every list of jobs.
	const list = useInfiniteQuery(recordingNowQuery());
	const recording = list.data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0;
	const count = `${recording}${list.hasNextPage ? "+" : ""}`;
	const written = useRef({ page: "", title: "" });
	useEffect(() => {
		return keepInHead(() => {
			// A title that was not written here is the router's name of the page.
			const routers = document.title === written.current.title ? written.current.page : document.title;
			const page = asked === null ? routers : `${asked} · Tapedeck`;
			const title = recording > 0 ? `● ${count} recording · ${page}` : page;
			written.current = { page: routers, title };
			if (document.title !== title) document.title = title;
		});
	}, [asked, recording, count]);
	useEffect(() => keepInHead(() => writeIcon(recording > 0)), [recording]);
	return null;
}

/** Calls `write` now and whenever the page's head changes: the router sets a page's title late. */
function keepInHead(write: () => void): () => void {
	write();
	const observer = new MutationObserver(write);
	observer.observe(document.head, { childList: true, subtree: true, characterData: true });
	return () => observer.disconnect();
}

function writeIcon(recording: boolean): void {
	for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) {
		link.dataset.usual ??= link.getAttribute("href") ?? "";
		const wanted = recording ? RECORDING_ICON : link.dataset.usual;
		if (link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
	}
}
