/** How events of the server change what the pages hold. */
import type { QueryClient } from "@tanstack/react-query";
import type { LiveEvent } from "../contract/live-event.ts";
import { applyJob, jobKeys } from "./jobs.ts";
import { markerKeys } from "./markers.ts";
import { applyRecording, forgetRecording } from "./recordings.ts";
import { applyRunner } from "./runners.ts";
import { storageKeys } from "./storage.ts";

/** Brings one event into the caches. */
export function applyLiveEvent(client: QueryClient, event: LiveEvent): void {
	switch (event.type) {
		case "job":
			applyJob(client, event.data);
			// Every change of a job has its line in the history.
			void client.invalidateQueries({ queryKey: jobKeys.events(event.data.id) });
			void client.invalidateQueries({ queryKey: markerKeys.ofJob(event.data.id) });
			break;
		case "recording":
			applyRecording(client, event.data);
			break;
		case "recording_deleted":
			forgetRecording(client, event.data.id);
			if (event.data.jobId !== null) void client.invalidateQueries({ queryKey: jobKeys.one(event.data.jobId) });
			break;
		case "runner":
			applyRunner(client, event.data);
			break;
		case "storage":
			client.setQueryData(storageKeys.one, event.data);
			break;
		case "resync":
			void client.invalidateQueries();
			break;
	}
}
