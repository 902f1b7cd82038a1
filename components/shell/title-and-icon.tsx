"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { jobsQuery } from "#lib/client/jobs.ts";
import { shellTexts } from "#lib/texts/shell.ts";
import { pageTitle } from "./use-page-title.ts";

const RECORDING_ICON = "/icon-recording.svg";

/** The title and the icon of the tab, which also say what is being recorded. */
export function TitleAndIcon() {
	const wish = useSyncExternalStore(pageTitle.subscribe, pageTitle.get, () => null);
	// Kept up to date by live events, like every list of jobs.
	const list = useInfiniteQuery(jobsQuery({ status: ["recording"] })).data;
	const recording = list?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0;
	const written = useRef({ page: "", title: "" });
	useEffect(() => {
		return keepInHead(() => {
			// What stands there and was not written here is what Next calls the page.
			const theirs = document.title === written.current.title ? written.current.page : document.title;
			const page = wish === null ? theirs : shellTexts.pageTitle(wish);
			const title = shellTexts.tabTitle(page, recording);
			written.current = { page: theirs, title };
			if (document.title !== title) document.title = title;
		});
	}, [wish, recording]);
	useEffect(() => keepInHead(() => writeIcon(recording > 0)), [recording]);
	return null;
}

/** Does `write` now and whenever the page writes its own: titles of pages arrive late when one goes from page to page. */
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
