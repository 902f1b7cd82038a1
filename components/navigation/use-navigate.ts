"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { toast } from "#components/ui/toast.ts";
import { UNREACHABLE } from "#lib/client/api.ts";
import { isReachable } from "#lib/client/reachable.ts";
import { goOnJobsPage, isOnJobsPage } from "./overlay-url.ts";

/** Whether only the fragment differs from the present address. */
function isFragmentOfThisPage(address: string): boolean {
	const { pathname, search, hash } = new URL(address, location.href);
	return hash !== "" && pathname === location.pathname && search === location.search;
}

/**
 * Navigates to a page of the dashboard. If the server does not answer, shows a toast and stays on the page: the router
 * would replace it with the browser's error page.
 */
export function useNavigate(): (address: string) => Promise<void> {
	const router = useRouter();
	return useCallback(
		async (address) => {
			if (isOnJobsPage(address)) goOnJobsPage(address);
			else if (isFragmentOfThisPage(address)) {
				window.history.pushState(null, "", address);
				// Browsers fire it for links and for Back only.
				window.dispatchEvent(new HashChangeEvent("hashchange"));
			} else if (await isReachable()) router.push(address);
			else toast.error(UNREACHABLE);
		},
		[router],
	);
}
