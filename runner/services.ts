/** What every job of a running agent shares. */
import type { RunnerConfig } from "./config/config.ts";
import type { Connection } from "./connection.ts";
import type { Displays } from "./displays/displays.ts";
import type { RunnerLog } from "./log.ts";
import type { Reporter } from "./dashboard/reporter.ts";
import type { JobSpool } from "./spool.ts";

export interface Services {
	config: Pick<RunnerConfig, "ffmpeg" | "childEnv" | "allowedGrids">;
	displays: Displays;
	connection: Connection;
	reporter: Reporter;
	log: RunnerLog;
	/** Aborted when the runner has been asked to go: recordings end and are delivered. */
	leaving: AbortSignal;
	/** Aborted when it goes: what is not delivered stays in the spool. */
	closed: AbortSignal;
	/** The list of jobs to be stated to the dashboard has grown. */
	listGrew(): void;
	/** A job ended with an error of the runner itself, or one that ends the runner. */
	broke(spool: JobSpool, error: unknown): void;
}
