import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * unit: the tests beside their files, with real sockets and ffmpeg.
 * runner: those of the runner, with real displays and encoders. They mostly wait for them.
 * grid: a real Selenium Grid and a real browser; in `npm run test:full`.
 * endurance: what guards no daily change: minutes of faults, hostile peers, several dashboards, setup and upgrades, and
 * corners of capture, clips and commands that take many seconds; in `npm run test:full`.
 * external: tests that need more than npm and Debian packages; `npm run test:external`.
 */
const everywhere = {
	environment: "node",
	// Long enough for a machine with ten times as much to do as it can: a time-out only ends what hangs.
	testTimeout: 120_000,
	hookTimeout: 180_000,
	pool: "forks",
	// Files share their workers, and what these have loaded: a file that needs it otherwise is at fault.
	isolate: false,
	// Likewise; the default is one second.
	expect: { poll: { timeout: 30_000 } },
} as const;
const elsewhere = ["**/node_modules/**", ".next/**"];

/** The files that take longest: what begins last must be short. A fresh clone has no durations of earlier runs. */
const LONGEST = [
	...["test-results", "test-reports", "python-client", "schemathesis", "grid4"].map((name) => `e2e/${name}.external`),
	...["node-chaos", "lost-dashboard-bucket", "run-accidents", "playwright/src/reporter", "stalls", "capture/buffer"],
	...["network", "restart", "video/parts", "lost-dashboard", "disk-error", "other-dashboards", "e2e/grid3"],
	...["cpu-budget", "e2e/evidence", "only-failed", "playwright/src/fixtures", "privacy", "jumping-clock"],
	...["commands/run", "bucket-store", "/other-dashboard", "remote-display", "leases", "dashboard-killed"],
	...["nodes/dashboard-node", "window-titles", "capture/windows", "e2e/nginx", "e2e/balancers"],
	...["commands/doctor", "make-clip", "serve-zip", "frame-rates"],
	...["runner/jobs", "commands/record", "runner/auto-record", "selenium-idle", "capture/verdict", "credentials"],
];

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const place = ({ moduleId }: TestSpecification) => {
			const index = LONGEST.findIndex((name) => moduleId.replace(/(\.endurance)?\.test\.ts$/, "").endsWith(name));
			return index === -1 ? LONGEST.length : index;
		};
		const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
		return (await super.sort(files)).sort((a, b) => group(a) - group(b) || place(a) - place(b));
	}
}

/** How many files run at once, after the groups with lower numbers. */
const group = (groupOrder: number, maxWorkers: number) => ({ maxWorkers, sequence: { groupOrder } });

export default defineConfig({
	test: {
		allowOnly: false,
		sequence: { sequencer: LongestFirst },
		projects: [
			{
				// As it stands: a fresh clone has not built the package.
				resolve: {
					alias: { "@tapedeck/client": new URL("clients/typescript/src/index.ts", import.meta.url).pathname },
				},
				test: {
					...everywhere,
					...group(0, 4),
					name: "unit",
					globalSetup: "test/databases/postgres-server.ts",
					include: ["**/*.test.{ts,tsx}"],
					exclude: [
						...elsewhere,
						...["runner/**", "**/*.external.test.ts", "**/*.endurance.test.ts", "e2e/grid*.test.ts"],
					],
				},
			},
			{
				test: {
					...everywhere,
					...group(1, 6),
					name: "runner",
					include: ["runner/**/*.test.ts"],
					exclude: [...elsewhere, "**/*.endurance.test.ts"],
				},
			},
			{
				test: {
					...everywhere,
					...group(2, 5),
					name: "grid",
					include: ["e2e/grid*.test.ts"],
					exclude: ["**/*.external.test.ts"],
					testTimeout: 180_000,
					hookTimeout: 180_000,
				},
			},
			{
				test: {
					...everywhere,
					...group(2, 5),
					name: "endurance",
					globalSetup: "test/databases/postgres-server.ts",
					include: ["**/*.endurance.test.ts"],
					exclude: elsewhere,
					testTimeout: 240_000,
					hookTimeout: 180_000,
				},
			},
			{
				test: {
					...everywhere,
					...group(3, 2),
					name: "external",
					include: ["e2e/**/*.external.test.ts"],
					testTimeout: 300_000,
					hookTimeout: 300_000,
				},
			},
		],
	},
});
