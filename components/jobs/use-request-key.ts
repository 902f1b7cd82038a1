"use client";

import { useRef } from "react";

/** Random enough, also where the page is not served securely and crypto.randomUUID is absent. */
const freshKey = (): string =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** An idempotency key that stays the same while the body does: sent twice, it is created once. */
export function useRequestKey(): (body: unknown) => string {
	const last = useRef({ body: "", key: "" });
	return (body) => {
		const text = JSON.stringify(body);
		if (last.current.body !== text) last.current = { body: text, key: freshKey() };
		return last.current.key;
	};
}
