"use client";

import { useCallback, useEffect, useState } from "react";
import { useCan, useSession } from "#components/session/use-session.ts";
import { everHadVideo, isWayDone, markWayDone } from "#lib/client/newcomer.ts";
import type { Job } from "#lib/contract/job.ts";

/** An organization with more jobs than this knows its way. */
const FEW = 5;

/**
 * Whether the first steps are shown: to an organization that never had a video, and to those who then see it come,
 * until they have watched it. Never again afterwards.
 * @param jobs every job there is; undefined while that is not known, or when there are more
 */
export function useNewcomer(jobs: readonly Job[] | undefined): [isNew: boolean, dismiss: () => void] {
	const { organizationId } = useSession();
	const mayWrite = useCan("write");
	const [seen, setSeen] = useState(false);
	const [done, setDone] = useState(() => isWayDone(organizationId));
	const few = jobs !== undefined && jobs.length <= FEW;
	const without = few && !everHadVideo(jobs);
	useEffect(() => {
		if (without) setSeen(true);
	}, [without]);
	const dismiss = useCallback(() => {
		markWayDone(organizationId);
		setDone(true);
	}, [organizationId]);
	return [mayWrite && !done && few && (without || seen), dismiss];
}
