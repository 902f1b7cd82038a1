"use client";

import { useQuery } from "@tanstack/react-query";
import { useDeferredMount } from "#components/ui/use-deferred-mount.ts";
import { unseenFailuresQuery } from "./failures.ts";

/** More are not told apart at a glance. */
const MOST = 99;

/** The number of failed tests that the user has not seen, next to the name of the page Failures. */
export function UnseenFailures() {
	const seen = useQuery({ ...unseenFailuresQuery, enabled: useDeferredMount() });
	const count = seen.data ?? 0;
	if (count === 0) return null;
	return (
		<span className="rounded-full bg-soft-danger px-1.5 text-[11px] leading-4 font-medium text-danger tabular-nums max-md:absolute max-md:top-0.5 max-md:start-1/2 max-md:ms-1 md:ms-auto">
			<span className="sr-only">, </span>
			{count > MOST ? `${MOST}+` : count}
			<span className="sr-only"> not seen</span>
		</span>
	);
}
