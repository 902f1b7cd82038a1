"use client";

import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { toast } from "#components/ui/toast.ts";
import { UNREACHABLE } from "#lib/client/api.ts";
import { isReachable } from "#lib/client/reachable.ts";

const JOBS = /^\/jobs(\/\d+)?(\?|$)/;

/** The list of jobs and its drawer are one page, which reads its address itself and asks nobody for it. */
export const staysOnPage = (address: string): boolean => JOBS.test(address) && JOBS.test(location.pathname);

/**
 * Goes to a page of the dashboard, or says that it cannot be had now: left to itself, Next leaves the page for one
 * of the browser's own when the server does not answer.
 */
export function useGoTo(): (address: string) => Promise<void> {
	const router = useRouter();
	return useCallback(
		async (address) => {
			if (staysOnPage(address)) window.history.pushState(null, "", address);
			else if (await isReachable()) router.push(address);
			else toast.error(UNREACHABLE);
		},
		[router],
	);
}
