"use client";

import type { Job } from "@tapedeck/contract/job.ts";
import { useCallback, useEffect, useState } from "react";
import { useCan, useSession } from "#components/account/use-session.ts";
import { readStored, store } from "#lib/client/browser-storage.ts";
import { everHadVideo } from "./onboarding-progress.ts";

/** An organization with more jobs than this needs no onboarding. */
const MAX_JOBS = 5;

/**
 * Whether to show the onboarding: while an organization has no video yet, and then until its first one was played or
 * the steps were dismissed in this browser.
 * @param jobs all jobs; undefined while they are unknown, or when there are more
 */
export function useOnboarding(jobs: readonly Job[] | undefined): [isNew: boolean, dismiss: () => void] {
	const { organizationId } = useSession();
	const mayWrite = useCan("jobs:write");
	const [wasShown, setWasShown] = useState(false);
	const [isDone, setIsDone] = useState(() => readDone(organizationId));
	const isSmall = jobs !== undefined && jobs.length <= MAX_JOBS;
	const hasNoVideo = isSmall && !everHadVideo(jobs);
	useEffect(() => {
		if (hasNoVideo) setWasShown(true);
	}, [hasNoVideo]);
	const dismiss = useCallback(() => {
		saveDone(organizationId);
		setIsDone(true);
	}, [organizationId]);
	return [mayWrite && !isDone && isSmall && (hasNoVideo || wasShown), dismiss];
}

const doneName = (organizationId: number): string => `tapedeck.newcomer-done.${organizationId}`;

const readDone = (organizationId: number): boolean => readStored(doneName(organizationId)) !== null;

/** Without storage the steps come back after a reload. */
const saveDone = (organizationId: number): void => store(doneName(organizationId), "1");
