/**
 * V8's flags, by process. They are V8's, not Node's: a Node that does not know one says so on standard error, and starts.
 * The figures are those of decisions 21 and 22.
 */

/** Flags of a dashboard, which sets them before it answers anything, however the process was started. */
export const DASHBOARD_FLAGS: readonly string[] = [
	// By how much the heap may grow until V8 collects garbage in all of it; by itself, V8 waits for about 60 %. Bodies count,
	// although they die young: the pieces of 60 recordings led to a full collection each 1.6 s, which held the event loop for
	// 10 to 30 ms. With this and the next flag, there was none in half a minute, with a heap of 95 MB instead of 60.
	"--heap-growing-percent=150",
	// Requests of idle runners live for seconds. From them V8 learns to allocate what belongs to a request in the old
	// generation, where that of a PATCH keeps its piece until a full collection.
	"--no-allocation-site-pretenuring",
	// So few objects survive here that helper threads took more CPU time than they saved the main thread: 40 µs for each poll
	// of an idle runner.
	"--no-parallel-scavenge",
];

/** Flags of a runner. It allocates few objects, so a larger young generation would only delay releasing memory. */
export const RUNNER_FLAGS: readonly string[] = ["--max-semi-space-size=1"];

/** Heap limit of a process that reads untrusted input: beyond this many megabytes only that process dies. */
export const heapLimit = (megabytes: number): string => `--max-old-space-size=${megabytes}`;
