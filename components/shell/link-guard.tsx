"use client";

import { useEffect } from "react";
import { isSurelyReachable } from "#lib/client/reachable.ts";
import { staysOnPage, useGoTo } from "./use-go-to.ts";

/**
 * While it is in doubt whether the dashboard answers, every link to another page of it asks first. A page that is
 * stale but there is better than the browser's own word for a server that is not.
 */
export function LinkGuard() {
	const goTo = useGoTo();
	useEffect(() => {
		const onClick = (event: MouseEvent) => {
			const address = isSurelyReachable() ? null : addressToGuard(event);
			if (address === null) return;
			event.preventDefault();
			event.stopPropagation();
			goTo(address);
		};
		window.addEventListener("click", onClick, { capture: true });
		return () => window.removeEventListener("click", onClick, { capture: true });
	}, [goTo]);
	return null;
}

/** Where the click leads, if that is another page of the dashboard in this tab; else null. */
function addressToGuard(event: MouseEvent): string | null {
	const special = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
	const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
	if (special || link === null || link.target !== "" || link.hasAttribute("download")) return null;
	const { origin, pathname, search, hash } = new URL(link.href);
	if (origin !== location.origin || pathname.startsWith("/v1/")) return null;
	if (pathname === location.pathname && hash !== "") return null;
	const address = pathname + search + hash;
	return staysOnPage(address) ? null : address;
}
