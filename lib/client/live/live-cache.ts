/** Applies the server's events to the query caches. */
import { notifyManager, type QueryClient } from "@tanstack/react-query";
import type { LiveEvent } from "@tapedeck/contract/live-event.ts";
import { applyJobs, forgetRecordingOfJob, JOBS, jobKeys } from "../jobs.ts";
import { buildKeys, jobCountKeys, markerKeys, memberKeys, testKeys } from "../query-keys.ts";
import { applyRecording, forgetRecording, RECORDINGS } from "../recordings.ts";
import { applyJobsToRunners, applyRunner, forgetRunner, RUNNERS } from "../runners.ts";
import { sessionKeys } from "../session.ts";
import { storageKeys } from "../storage.ts";
import { keepNewerEvents } from "./newer-events.ts";

/** Keeps late responses from undoing newer events, until the returned function is called. */
export const keepEvents = (client: QueryClient): (() => void) => keepNewerEvents(client, [JOBS, RECORDINGS, RUNNERS]);

/** Changes of what builds count. */
const IN_BUILDS: ReadonlySet<LiveEvent["type"]> = new Set(["job", "tests", "recording", "recording_deleted"]);

/** Applies events in their order, notifying observers once. Jobs, of which there are many, are applied together. */
export function applyLiveEvents(client: QueryClient, events: readonly LiveEvent[]): void {
	notifyManager.batch(() => {
		const jobs = events.flatMap((event) => (event.type === "job" ? [[event.data.id, event.data] as const] : []));
		applyJobs(client, [...new Map(jobs).values()]);
		applyJobsToRunners(client, [...new Map(jobs).values()]);
		for (const event of events) applyOne(client, event);
		// Fetched again a moment later, once for many changes (`whenOutdated`).
		if (jobs.length > 0) void client.invalidateQueries({ queryKey: jobCountKeys.all, refetchType: "none" });
		// One result changes many numbers: histories, groups of failures, reports of builds.
		if (events.some(({ type }) => type === "tests" || type === "recording_deleted")) {
			void client.invalidateQueries({ queryKey: testKeys.all, refetchType: "none" });
		}
		if (events.some(({ type }) => IN_BUILDS.has(type))) {
			void client.invalidateQueries({ queryKey: buildKeys.all, refetchType: "none" });
		}
	});
}

function applyOne(client: QueryClient, event: LiveEvent): void {
	switch (event.type) {
		case "job":
			// Every change of a job adds an event to its history.
			void client.invalidateQueries({ queryKey: jobKeys.events(event.data.id) });
			break;
		case "markers":
			if (event.data.recordingId !== null) {
				void client.invalidateQueries({ queryKey: markerKeys.of(event.data.recordingId) });
			}
			break;
		case "recording":
			applyRecording(client, event.data);
			break;
		case "recording_deleted":
			forgetRecording(client, event.data.id);
			if (event.data.jobId !== null) forgetRecordingOfJob(client, event.data.jobId);
			break;
		case "runner":
			applyRunner(client, event.data);
			break;
		case "runner_removed":
			forgetRunner(client, event.data.id);
			break;
		case "storage":
			client.setQueryData(storageKeys.one, event.data);
			break;
		case "members":
			void client.invalidateQueries({ queryKey: memberKeys.all });
			void client.invalidateQueries({ queryKey: sessionKeys.me });
			break;
		case "resync":
			// Queries that nothing shows are dropped, not only invalidated: an event that patches one with `setQueryData`
			// would clear the invalidation, and what was missed would never be fetched.
			client.removeQueries({ predicate: (query) => query.getObserversCount() === 0 });
			void client.invalidateQueries();
			break;
	}
}
