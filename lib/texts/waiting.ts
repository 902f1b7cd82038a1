/** The words about a runner that is away while jobs wait for it. */

import { isolated } from "./isolated.ts";
import { counted } from "./words.ts";

export const waitingTexts = {
	/** “build-1 has been offline for 3 h; 4 jobs wait for it.” */
	sentence: (name: string, offlineFor: string | null, jobs: number) =>
		`${isolated(name)} ${offlineFor === null ? "is offline" : `has been offline for ${offlineFor}`}; ${counted(jobs, "job waits", "jobs wait")} for it.`,
	remedy: "Start it again on its machine, or cancel them.",
	showJobs: "Show them",
	/** Goes on behind “Show them”, for those who hear the link alone. */
	showJobsOf: (name: string) => `(the jobs that wait for ${name})`,
	others: (count: number) => `${counted(count, "more runner is", "more runners are")} offline with jobs waiting.`,
	showRunners: "Show runners",
} as const;
