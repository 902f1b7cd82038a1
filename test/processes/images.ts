/** The images of the dashboard and the runner, started as two containers, and a display that the runner records. */
import type { Job } from "@tapedeck/contract/job.ts";
import { connect } from "../api-client.ts";
import { startXvfb } from "../displays/xvfb.ts";
import { until } from "../wait.ts";
import { type Container, type ContainerOptions, startContainer } from "./container.ts";
import { freePort } from "./free-port.ts";

const API_KEY = "tdk_for-tests-only-0123456789";
const TOKEN = "tdr_for-tests-only-0123456789";
/** The steps of an image take minutes on a busy machine. */
const START_MS = 270_000;

export interface Images {
	dashboard: Container;
	runner: Container;
	url: string;
	/** Records the display. @returns the job when its recording plays and has a poster. */
	record(durationSeconds: number): Promise<Job>;
	stop(): Promise<void>;
}

/** @param options for both. */
export async function startImages(options: ContainerOptions = {}): Promise<Images> {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const display = await startXvfb();
	await display.move();
	const containers: Container[] = [];
	const stop = async () => {
		await Promise.all(containers.map((container) => container.remove()));
		await display.stop();
	};
	const start = async (image: string, env: Record<string, string>, ready: string) => {
		const container = await startContainer(`deploy/${image}.Dockerfile`, env, options);
		containers.push(container);
		await container.says(ready, START_MS);
		return container;
	};
	try {
		const dashboard = start(
			"dashboard",
			{
				...{ PORT: String(port), HOST: "127.0.0.1" },
				...{ TAPEDECK_BOOTSTRAP_EMAIL: "owner@example.com", TAPEDECK_BOOTSTRAP_PASSWORD: "a password for tests" },
				...{ TAPEDECK_BOOTSTRAP_API_KEY: API_KEY, TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: TOKEN },
			},
			"Tapedeck listens on",
		);
		const runner = start(
			"runner",
			{ TAPEDECK_URL: url, TAPEDECK_TOKEN: TOKEN, TAPEDECK_RUNNER_NAME: "contained", DISPLAY: display.id },
			"Connected to",
		);
		const started = await Promise.all([dashboard, runner]);
		return {
			dashboard: started[0],
			runner: started[1],
			url,
			record: (seconds) => record(url, display.id, seconds),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

async function record(url: string, displayId: string, durationSeconds: number): Promise<Job> {
	const api = connect(url, API_KEY);
	const [runner] = await api.runners();
	const job = await api.createJob({
		...{ runnerId: runner?.id ?? 0, displayId, name: "contained" },
		...{ stopCondition: "duration", stopConditionConfig: { durationSeconds } },
	});
	const ended = await api.waitFor(job.id, "playable");
	const poster = `${url}/v1/recordings/${ended.recording?.id}/poster`;
	const headers = { authorization: `Bearer ${API_KEY}` };
	await until(async () => (await fetch(poster, { headers })).ok, "there is a poster");
	return ended;
}
