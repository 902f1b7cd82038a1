import { queryOptions } from "@tanstack/react-query";
import type { SessionUser } from "../contract/organization.ts";
import { call } from "./api.ts";

/** Who is signed in, always asked anew: a 401 is how a tab without calls of its own learns that its session has ended. */
export const whoAmIQuery = () =>
	queryOptions({
		queryKey: ["who-am-i"],
		queryFn: ({ signal }) => call<SessionUser>("GET", "/v1/me", { signal }),
		staleTime: 0,
		retry: false,
	});
