"use client";

import { clsx } from "clsx";
import { CircleCheck, WifiOff } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useLiveState } from "./live-updates.tsx";

/** Short breaks of the stream are not shown; a browser that is offline is shown at once. */
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

/** The connection as the bar shows it; `back` for a moment only. */
type Connection = "offline" | "lost" | "back";

const SENTENCES: Record<Connection, string> = {
	offline: "You're offline. This page may be out of date.",
	lost: "Connection lost. This page may be out of date. Reconnecting…",
	back: "Back online. Everything is up to date.",
};

function useShownConnection(): Connection | null {
	const state = useLiveState();
	const online = useOnline();
	const [connection, setConnection] = useState<Connection | null>(null);
	useEffect(() => {
		if (!online) {
			setConnection("offline");
			return;
		}
		if (state === "lost") {
			const timer = setTimeout(() => setConnection("lost"), PATIENCE_MS);
			return () => clearTimeout(timer);
		}
		if (state !== "live") return;
		setConnection((before) => (before === null ? null : "back"));
		const timer = setTimeout(() => setConnection(null), BACK_MS);
		return () => clearTimeout(timer);
	}, [state, online]);
	return connection;
}

/** Says that the page is not being updated, while it is not, and that it is again. */
export function ConnectionBar() {
	const connection = useShownConnection();
	const Icon = connection === "back" ? CircleCheck : WifiOff;
	return (
		<div role="status" className="pointer-events-none fixed inset-x-0 top-2 z-60 flex justify-center px-4 print:hidden">
			{connection === null ? null : (
				<span className="motion-fade flex items-center gap-2 rounded-full border border-line bg-surface px-3 py-1.5 text-xs shadow-float">
					<Icon aria-hidden className={clsx("size-3.5 shrink-0", connection === "back" ? "text-ok" : "text-warn")} />
					{SENTENCES[connection]}
				</span>
			)}
		</div>
	);
}
