"use client";

import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useEagerLazyModule } from "#components/ui/use-lazy-module.ts";
import { runnersQuery } from "#lib/client/runners.ts";

/** The pages that show jobs which may be waiting. */
const PAGES = /^\/(jobs|runners)(\/|$)/;

const load = () => import("./waiting-jobs.tsx").then((module) => module.WaitingJobs);

/** Says that a runner is offline while jobs wait for it; the words are loaded when that is so. */
export function WaitingAlert() {
	const runners = useQuery(runnersQuery()).data;
	const isHere = PAGES.test(usePathname());
	const waited = (runners ?? []).filter((runner) => runner.state === "offline" && runner.waitingJobIds.length > 0);
	const WaitingJobs = useEagerLazyModule(load, isHere && waited.length > 0);
	return <div role="status">{isHere && WaitingJobs !== null ? <WaitingJobs runners={waited} /> : null}</div>;
}
