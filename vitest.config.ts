import { defineConfig } from "vitest/config";

/**
 * unit: the tests that stand beside their files, sockets and ffmpeg included.
 * runner: the same of the runner, with real displays and encoders, which a busy machine makes late: apart from the others.
 * grid: a real Selenium Grid and a real browser; part of `npm run test:full`.
 * endurance: minutes of faults against the whole of Tapedeck; part of `npm run test:full`.
 * external: what needs more than npm's and Debian's packages; `npm run test:external`.
 */
const everywhere = { environment: "node", testTimeout: 30_000, hookTimeout: 60_000, pool: "forks" } as const;
const elsewhere = ["node_modules/**", ".next/**"];

/** So many files at once, after the groups before. */
const group = (groupOrder: number, maxWorkers: number) => ({ maxWorkers, sequence: { groupOrder } });

export default defineConfig({
	test: {
		allowOnly: false,
		projects: [
			{
				test: {
					...everywhere,
					...group(0, 2),
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
				test: { ...everywhere, ...group(1, 2), name: "runner", include: ["runner/**/*.test.ts"], exclude: elsewhere },
			},
			{
				test: {
					...everywhere,
					...group(2, 2),
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
					...group(2, 2),
					name: "endurance",
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
