import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { measuredDurations } from "./test/lanes.ts";
import { chooseFfmpeg } from "./test/processes/chosen-ffmpeg.ts";

// The workers that run the tests inherit this process's PATH.
chooseFfmpeg();

const common = {
	environment: "node",
	// Long enough for a machine with ten times as much to do as it can: a time-out only ends what hangs.
	testTimeout: 240_000,
	hookTimeout: 180_000,
	pool: "forks" as const,
	// Files share their workers, and the modules that these have loaded.
	isolate: false,
	// The default is one second.
	expect: { poll: { timeout: 30_000 } },
	setupFiles: ["test/same-environment.ts"],
	globalSetup: ["test/databases/postgres-server.ts", "test/processes/shipped-program.ts"],
};

// The client's source: a fresh clone has not built its package.
const resolve = {
	alias: { "@tapedeck/client": new URL("clients/typescript/src/index.ts", import.meta.url).pathname },
};

// `.cache` has whole Debian systems.
const elsewhere = ["**/node_modules/**", ".next/**", ".cache/**"];
const suffixed = (lane: string) => [`**/*.${lane}.test.{ts,tsx}`];

const durations = measuredDurations();

/** Begins with the longest files, so that no worker is left with one at the end. */
class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const seconds = ({ moduleId }: TestSpecification) => durations[relative(import.meta.dirname, moduleId)] ?? 0;
		return [...files].sort((a, b) => seconds(b) - seconds(a));
	}
}

/** A project for each lane of `test/lanes.ts`. */
export default defineConfig({
	test: {
		allowOnly: false,
		sequence: { sequencer: LongestFirst },
		projects: [
			{
				resolve,
				test: {
					...common,
					name: "plain",
					// More than there are cores: many tests wait for programs.
					maxWorkers: 5,
					sequence: { groupOrder: 0 },
					include: ["**/*.test.{ts,tsx}"],
					exclude: [...elsewhere, ...suffixed("timed"), ...suffixed("explore")],
				},
			},
			{
				test: {
					...common,
					name: "timed",
					maxWorkers: 1,
					sequence: { groupOrder: 1 },
					include: suffixed("timed"),
					exclude: elsewhere,
				},
			},
			{
				resolve,
				test: {
					...common,
					name: "explore",
					maxWorkers: 2,
					sequence: { groupOrder: 2 },
					include: suffixed("explore"),
					exclude: elsewhere,
					testTimeout: 300_000,
					hookTimeout: 300_000,
				},
			},
		],
	},
});
