/** The images of the dashboard and the runner: their steps, and their commands as the user that they name. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, connect } from "#test/api-client.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { type Container, startContainer } from "#test/processes/container.ts";
import { freePort } from "#test/processes/free-port.ts";
import { until } from "#test/wait.ts";

const API_KEY = "tdk_for-tests-only-0123456789";
const TOKEN = "tdr_for-tests-only-0123456789";

let url: string;
let api: Api;
let display: VirtualDisplay;
const containers: Record<string, Container> = {};
beforeAll(async () => {
	const port = await freePort();
	url = `http://127.0.0.1:${port}`;
	api = connect(url, API_KEY);
	display = await startXvfb();
	await display.move();
	const started = await Promise.all([
		startContainer("deploy/dashboard.Dockerfile", {
			...{ PORT: String(port), HOST: "127.0.0.1" },
			...{ TAPEDECK_BOOTSTRAP_EMAIL: "owner@example.com", TAPEDECK_BOOTSTRAP_PASSWORD: "a password for tests" },
			...{ TAPEDECK_BOOTSTRAP_API_KEY: API_KEY, TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: TOKEN },
		}),
		startContainer("deploy/runner.Dockerfile", {
			...{ TAPEDECK_URL: url, TAPEDECK_TOKEN: TOKEN, TAPEDECK_RUNNER_NAME: "contained", DISPLAY: display.id },
		}),
	]);
	Object.assign(containers, { dashboard: started[0], runner: started[1] });
	await containers.dashboard?.says("Tapedeck listens on", 60_000);
	await containers.runner?.says("Connected to", 60_000);
});
afterAll(async () => {
	await Promise.all(Object.values(containers).map((container) => container.remove()));
	await display.stop();
});

const containerOf = (name: string): Container => {
	const container = containers[name];
	if (container === undefined) throw new Error(`The image of the ${name} was not started.`);
	return container;
};

test.each([
	"dashboard",
	"runner",
])("the image of the %s runs as its own user, who can write to its volume only", async (name) => {
	const { run } = containerOf(name);
	expect((await run("id -u")).output.trim()).toBe("1000");
	expect((await run("touch /data/written")).status).toBe(0);
	for (const path of ["/opt/tapedeck/written", "/written", "/etc/written"]) {
		expect((await run(`touch ${path}`)).output).toMatch(/Read-only|Permission denied/);
	}
	expect(await containerOf(name).checkHealth()).toBe(0);
});

test("between the two images, a recording is made, plays and has a poster, and pages are served", async () => {
	const [runner] = await api.runners();
	const job = await api.createJob({
		...{ runnerId: runner?.id ?? 0, displayId: display.id, name: "contained" },
		...{ stopCondition: "duration", stopConditionConfig: { durationSeconds: 2 } },
	});
	const ended = await api.waitFor(job.id, "playable");
	expect(ended).toMatchObject({ status: "completed", recording: { durationSeconds: 2 } });
	const headers = { authorization: `Bearer ${API_KEY}` };
	const picture = (file: string) => fetch(`${url}/v1/recordings/${ended.recording?.id}/${file}`, { headers });
	await until(async () => (await picture("poster")).ok, "there is a poster");
	expect((await fetch(`${url}/login`)).status).toBe(200);
});

test("the image of the dashboard has everything of the package that runners are installed from", async () => {
	// The script names the package's digest, so the package has been made.
	expect((await fetch(`${url}/install.sh`)).status).toBe(200);
});

test.each([
	"runner",
	"dashboard",
])("on SIGTERM, the %s ends with status 0 within the 10 s that docker stop waits", async (name) => {
	const from = performance.now();
	expect(await containerOf(name).terminate()).toBe(0);
	expect(performance.now() - from).toBeLessThan(10_000);
});
