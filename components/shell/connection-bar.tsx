"use client";

import { clsx } from "clsx";
import { CircleCheck, WifiOff } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { shellTexts } from "#lib/texts/shell.ts";
import { useLiveState } from "./live-updates.tsx";

/** Short breaks of the stream are nobody's business; a browser that knows itself offline is told of at once. */
const PATIENCE_MS = 3_000;
const BACK_MS = 2_500;

function subscribeOnline(listener: () => void): () => void {
	window.addEventListener("online", listener);
	window.addEventListener("offline", listener);
	return () => {
		window.removeEventListener("online", listener);
		window.removeEventListener("offline", listener);
	};
}

const useOnline = (): boolean =>
	useSyncExternalStore(
		subscribeOnline,
		() => navigator.onLine,
		() => true,
	);

/** What the bar says: nothing, that the page stands still, or for a moment that it goes on. */
type Word = "offline" | "lost" | "back";

function useWord(): Word | null {
	const state = useLiveState();
	const online = useOnline();
	const [word, setWord] = useState<Word | null>(null);
	useEffect(() => {
		if (!online) {
			setWord("offline");
			return;
		}
		if (state === "lost") {
			const timer = setTimeout(() => setWord("lost"), PATIENCE_MS);
			return () => clearTimeout(timer);
		}
		if (state !== "live") return;
		setWord((before) => (before === null ? null : "back"));
		const timer = setTimeout(() => setWord(null), BACK_MS);
		return () => clearTimeout(timer);
	}, [state, online]);
	return word;
}

/** Says that the page stands still, for as long as it does, and that it goes on again. */
export function ConnectionBar() {
	const word = useWord();
	const Icon = word === "back" ? CircleCheck : WifiOff;
	return (
		<div role="status" className="pointer-events-none fixed inset-x-0 top-2 z-60 flex justify-center px-4 print:hidden">
			{word === null ? null : (
				<span className="motion-fade flex items-center gap-2 rounded-full border border-line bg-surface px-3 py-1.5 text-xs shadow-float">
					<Icon aria-hidden className={clsx("size-3.5 shrink-0", word === "back" ? "text-ok" : "text-warn")} />
					{shellTexts.connection[word]}
				</span>
			)}
		</div>
	);
}
