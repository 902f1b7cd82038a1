import { defineConfig } from "vitest/config";

/**
 * unit: the tests that stand beside their files, sockets, ffmpeg and X displays included.
 * grid: a real Selenium Grid and a real browser; part of `npm test`.
 * endurance: minutes of faults against the whole of Tapedeck, one file at a time; part of `npm test`.
 * external: what needs more than npm's and Debian's packages; `npm run test:external`.
 */
const everywhere = { environment: "node", testTimeout: 30_000, hookTimeout: 60_000, pool: "forks" } as const;
const elsewhere = [
	...["node_modules/**", ".next/**", "**/*.external.test.ts"],
	...["**/*.endurance.test.ts", "e2e/grid*.test.ts"],
];

export default defineConfig({
	test: {
		// Real encoders run inside the tests: more files at once than this make each other late.
		maxWorkers: 2,
		allowOnly: false,
		projects: [
			{
				test: {
					...everywhere,
					name: "unit",
					globalSetup: "e2e/fixtures/postgres-server.ts",
					include: ["**/*.test.{ts,tsx}"],
					exclude: elsewhere,
				},
			},
			{
				test: {
					...everywhere,
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
					name: "endurance",
					include: ["**/*.endurance.test.ts"],
					exclude: ["node_modules/**", ".next/**"],
					fileParallelism: false,
					testTimeout: 240_000,
					hookTimeout: 180_000,
				},
			},
			{
				test: {
					...everywhere,
					name: "external",
					include: ["e2e/**/*.external.test.ts"],
					testTimeout: 300_000,
					hookTimeout: 300_000,
				},
			},
		],
	},
});
