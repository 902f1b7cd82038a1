"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

const TYPING_MS = 180;

/** A search whose text stands in the address as `?q=`. `wanted` follows `text` when typing rests. */
export function useSearchInAddress() {
	const wanted = (useSearchParams().get("q") ?? "").trim();
	const [text, setText] = useState(wanted);
	useEffect(() => {
		if (text.trim() === wanted) return;
		const timer = setTimeout(() => {
			const params = new URLSearchParams(window.location.search);
			if (text.trim() === "") params.delete("q");
			else params.set("q", text.trim());
			const query = params.toString();
			window.history.replaceState(null, "", window.location.pathname + (query === "" ? "" : `?${query}`));
		}, TYPING_MS);
		return () => clearTimeout(timer);
	}, [text, wanted]);
	return { wanted, text, setText };
}
