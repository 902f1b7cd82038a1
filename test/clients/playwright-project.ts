/** Projects with Playwright Test and the installed package, which may have a real dashboard, runner and display. */
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Job, type Marker, Tapedeck, type TestResult } from "@tapedeck/client-source/index.ts";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../api-server.ts";
import { startXvfb, type VirtualDisplay } from "../displays/xvfb.ts";
import { type Child, startChild } from "../processes/child.ts";
import { requireProgram } from "../processes/programs.ts";
import { newFolder, removeFolder, startRunner } from "../runners/runner-process.ts";
import { installClients } from "./install-clients.ts";

const MODULES = new URL("../../node_modules/", import.meta.url).pathname;
/** The name of its runner. */
export const RUNNER = "the machine of the tests";

/** A folder with Playwright Test and the installed package. */
export interface PlaywrightFolder {
	/** The folder of its tests. */
	folder: string;
	/**
	 * Starts Playwright Test with the reporter.
	 * @param options of the reporter. @param config of the project.
	 */
	start(words: string[], options?: object, env?: Record<string, string>, config?: object): Promise<Child>;
	/** Runs it to its end. @returns its exit status, its output, and the reporter's lines in it. */
	run(
		words: string[],
		options?: object,
		env?: Record<string, string>,
		config?: object,
	): Promise<{ status: number | string; output: string; said: string[] }>;
}

export interface PlaywrightProject extends PlaywrightFolder {
	api: TestApi;
	client: Tapedeck;
	display: VirtualDisplay;
	/** The runner's. */
	dataDir: string;
	/** @throws if there is no job of the name. */
	jobNamed(name: string): Promise<Job>;
	markersOf(job: Job): Promise<Marker[]>;
	/** All that is stored of the job's test results, by their beginning. */
	storedResults(job: Job): Promise<TestResult[]>;
	stop(): Promise<void>;
}

/** `failed shows the total 1`: with the attempt. */
export const summaryOf = ({ test, outcome, attempt }: TestResult): string =>
	`${outcome} ${test.split(" › ").at(-1)} ${attempt}`;

/** @param more of the runner's environment. */
export async function startPlaywrightProject(more: Record<string, string> = {}): Promise<PlaywrightProject> {
	const [dataDir, api, display] = await Promise.all([newFolder(), startTestApi(), startXvfb()]);
	const project = await installPlaywright(api.url, { runner: RUNNER, displayId: display.id });
	await display.move();
	const runnerEnv = { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, TAPEDECK_RUNNER_NAME: RUNNER, ...more };
	const runner = startRunner({ url: api.url, dataDir, display: display.id, env: runnerEnv });
	await runner.says("Connected to", 60_000);
	const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	return {
		...{ ...project, api, client, display, dataDir },
		jobNamed: async (name) => {
			const jobs = await client.jobs.list().toArray();
			const job = jobs.find((each) => each.name === name);
			if (job === undefined) throw new Error(`There is no job "${name}".`);
			return job;
		},
		markersOf: (job) => client.jobs.markers(job.id).toArray(),
		storedResults: async ({ id: jobId }) => {
			const listed = await client.tests.list({ jobId }).toArray();
			const results = await Promise.all(listed.map(({ id }) => client.tests.get(id)));
			return results.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
		},
		stop: async () => {
			await runner.stop(10_000);
			const { folder } = project;
			await Promise.all([display.stop(), api.stop(), removeFolder(dataDir), rm(folder, { recursive: true })]);
		},
	};
}

/**
 * @param url the dashboard's.
 * @param defaults options of the reporter, unless a run has others.
 */
export async function installPlaywright(url: string, defaults: object): Promise<PlaywrightFolder> {
	const { folder } = await installClients("playwright");
	for (const name of ["playwright", "playwright-core"]) {
		await symlink(join(MODULES, name), join(folder, "node_modules", name));
	}
	let runs = 0;
	const start: PlaywrightFolder["start"] = async (words, options = {}, env = {}, more = {}) => {
		const config = {
			...{ testDir: ".", workers: 2 },
			reporter: [
				["@tapedeck/playwright", { ...defaults, ...options }],
				["json", { outputFile: "report.json" }],
			],
			...more,
		};
		const file = `${runs++}.config.mjs`;
		await writeFile(join(folder, file), `export default ${JSON.stringify(config)};`);
		const ci = "GITHUB_|GITLAB_CI|BUILDKITE|CIRCLECI|TF_BUILD|JENKINS_URL";
		const others = new RegExp(`^(TAPEDECK_|DISPLAY$|VITEST|${ci})`);
		const inherited = Object.entries(process.env).filter(([name]) => !others.test(name));
		return startChild(process.execPath, [join(MODULES, "playwright/cli.js"), "test", "--config", file, ...words], {
			cwd: folder,
			env: {
				...Object.fromEntries(inherited),
				...{ TAPEDECK_URL: url, TAPEDECK_API_KEY: TEST_API_KEY, ...env },
			} as unknown as NodeJS.ProcessEnv,
		});
	};
	return {
		...{ folder, start },
		run: async (words, options, env, config) => {
			const child = await start(words, options, env, config);
			const status = await child.exited;
			const output = child.output();
			return { status, output, said: output.split("\n").filter((line) => line.startsWith("tapedeck:")) };
		},
	};
}

/** A folder in which Playwright finds an ffmpeg, which videos need. @param folder of the project. @param modules its packages. */
export async function browsersFolder(folder: string, modules = join(folder, "node_modules")): Promise<string> {
	const listed = join(modules, "playwright-core/browsers.json");
	const { browsers } = JSON.parse(await readFile(listed, "utf8"));
	const { revision } = browsers.find(({ name }: { name: string }) => name === "ffmpeg");
	const found = join(folder, "browsers");
	await mkdir(join(found, `ffmpeg-${revision}`), { recursive: true });
	await symlink(requireProgram("ffmpeg"), join(found, `ffmpeg-${revision}`, "ffmpeg-linux"));
	return found;
}
