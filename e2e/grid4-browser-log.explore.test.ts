/** The logs of browsers on a real Selenium Grid 4 are recorded with their video, without changes to the tests. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import type { TrackLine } from "@tapedeck/contract/track.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { chromeOptions, type Grid, grid4Part, openSession, startGrid } from "#test/grids/selenium-grid.ts";
import { freePort } from "#test/processes/free-port.ts";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import { startRunner } from "#test/runners/runner-process.ts";
import { pause, until } from "#test/wait.ts";
import { gridFolder } from "../bin/setup/external-programs.mjs";

/** The tolerance between the time of a line and the time of its event. */
const NEAR_MS = 200;
const PAYING_MS = 2_000;
/** Texts that no track may contain: a part of an address, and a flag. */
const SECRET = "hidden-0123456789";
const COUPON = "CPN-77123";
/** Says something at once, and more after the time that a grid may take to be seen by a runner. */
const PAGE = `<!doctype html><title>Shop</title><script>
const tell = (what) => navigator.sendBeacon("/truth?" + what + "=" + Date.now());
tell("loaded"); console.error("The shop is not ready"); console.log("coupon ${COUPON}");
fetch("/pay?early&access_token=${SECRET}").then(() => tell("earlyAnswered"));
setTimeout(() => { tell("failed"); console.error(new Error("The cart is empty")); fetch("/pay?late").then(() => tell("lateAnswered")); fetch("/quick"); }, 2500);
</script>`;
const CHECKOUT = `import java.net.URI;
import java.util.*;
import org.openqa.selenium.*;
import org.openqa.selenium.remote.RemoteWebDriver;

class Checkout {
	public static void main(String[] args) throws Exception {
		Map<String, Object> options = Map.of("binary", "${chromeOptions.binary}",
			"args", List.of(${chromeOptions.args.map((arg) => `"${arg}"`).join(", ")}));
		RemoteWebDriver driver = new RemoteWebDriver(URI.create(args[0]).toURL(), new ImmutableCapabilities(Map.of(
			"browserName", "chrome", "goog:chromeOptions", options)));
		driver.get(args[1]);
		Thread.sleep(6000);
		driver.quit();
		System.exit(1);
	}
}
`;

let api: TestApi;
let display: VirtualDisplay;
let folder: string;
let grid: Grid | undefined;
let shop: Server;
let shopUrl: string;
/** When what happened in the shop, in milliseconds since 1970. */
let truth: Record<string, number> = {};

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-browser-log-"));
	[api, display] = await Promise.all([startTestApi(), startXvfb({ width: 1280, height: 720 })]);
	shop = createServer(({ url = "" }, response) => {
		const [path, query = ""] = url.split("?");
		if (path === "/truth") {
			const [what = "", at] = query.split("=");
			truth[what] = Number(at);
		}
		if (path === "/pay") {
			setTimeout(() => response.writeHead(500).end("no"), PAYING_MS);
		} else response.writeHead(200, { "content-type": "text/html" }).end(path === "/" ? PAGE : "");
	});
	await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
	shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterEach(() => grid?.stop());
afterAll(async () => {
	shop?.closeAllConnections();
	shop?.close();
	await display?.stop();
	await api?.stop();
	await rm(folder, { recursive: true, force: true });
});

async function start(...options: string[]): Promise<Grid> {
	truth = {};
	const port = await freePort();
	const part = grid4Part("standalone", port, "--selenium-manager", "false", ...options);
	grid = await startGrid(part, { url: `http://127.0.0.1:${port}` }, { displayId: display.id, dataDir: folder });
	return grid;
}

async function linesOf(job: Job, track: string): Promise<TrackLine[]> {
	const { status, body } = await api.call("GET", `/v1/jobs/${job.id}/tracks/${track}?limit=1000`);
	return status === 200 ? body.data : [];
}

/** The newest job, once its video is whole. */
const newestJob = () =>
	until(
		async () => {
			const { body } = await api.call("GET", "/v1/jobs?limit=1");
			const [job] = body.data as Job[];
			return job?.status === "completed" ? job : null;
		},
		"a completed job",
		60_000,
	);

/** Expects the console and the requests of the shop in the tracks of a job, at their moments. */
async function expectShop(job: Job, said: string[]): Promise<void> {
	const console = (await linesOf(job, "console")).filter(
		({ level, data }) => level === "error" && String(data?.source).startsWith(shopUrl),
	);
	expect(console.map(({ level, text }) => [level, text.split("\n")[0]])).toEqual(said.map((text) => ["error", text]));
	const network = (await linesOf(job, "network")).filter(({ data }) => String(data?.url).includes("/pay"));
	expect(network.map(({ level, data }) => [level, data?.status, data?.url])).toEqual([
		["error", 500, `${shopUrl}/pay?early&access_token=***`],
		["error", 500, `${shopUrl}/pay?late`],
	]);
	// The page says when: on a busy machine, its requests arrive later.
	const { loaded = 0, failed = 0, earlyAnswered = 0, lateAnswered = 0 } = truth;
	const moments = [
		...[[console[0], loaded] as const, [console[1], failed] as const],
		...[[network[0], loaded] as const, [network[1], failed] as const],
	];
	for (const [line, at] of moments) {
		// DevTools does not report the start of a request sent before the subscription, so it is derived from the response.
		if (line === network[0] && line?.data?.method === undefined) continue;
		const begun = Date.parse(job.startedAt ?? "");
		expect(Math.abs(Date.parse(line?.at ?? "") - at), JSON.stringify([line, at])).toBeLessThan(NEAR_MS);
		expect(Math.abs((line?.offsetSeconds ?? 0) * 1_000 - (at - begun))).toBeLessThan(NEAR_MS);
	}
	for (const [index, ms] of [earlyAnswered - loaded, lateAnswered - failed].entries()) {
		expect(network[index]?.data?.durationMs).toBeGreaterThan(PAYING_MS - NEAR_MS);
		expect(network[index]?.data?.durationMs).toBeLessThan(ms + NEAR_MS);
	}
	expect(JSON.stringify([console, network])).not.toContain(SECRET);
}

test("a test in Java, recorded by nothing but tapedeck run, has its console and its failed requests at the right moments", async () => {
	const { url } = await start();
	const source = join(folder, "Checkout.java");
	await writeFile(source, CHECKOUT);
	const java = ["java", "-XX:TieredStopAtLevel=1", "-cp", `${gridFolder}/*`, source, url, shopUrl];
	const env = {
		...{ TAPEDECK_URL: api.url, TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, TAPEDECK_RUNNER_NAME: "of tapedeck run" },
		...{ TAPEDECK_BROWSER_LOG: "true", SE_GRID_URL: url },
	};
	const dataDir = join(folder, "own-runner");
	const { status, text } = await tapedeck(
		["run", "--display", display.id, "--data-dir", dataDir, "--mask", COUPON, "--", ...java],
		env,
	);
	expect(status, text).toBe(1);
	const job = await newestJob();
	expect(job.stopCondition).toBe("interrupt");
	await expectShop(job, ["The shop is not ready", "Error: The cart is empty"]);
	const logged = (await linesOf(job, "console")).map(({ text }) => text);
	expect(logged).toContain("coupon ***");
	expect(logged.join()).not.toContain(COUPON);
	expect(await readFile(join(dataDir, "run.log"), "utf8")).not.toMatch(/error|warning/);
});

test("where a session offers BiDi alone, each has its console by BiDi, and the test its own events as without a runner", async () => {
	const { url } = await start("--enable-cdp", "false");
	const env = {
		...{ TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, TAPEDECK_RUNNER_NAME: "beside the grid" },
		...{ TAPEDECK_AUTO_RECORD: "session", SE_GRID_URL: url, TAPEDECK_BROWSER_LOG: "true" },
	};
	const runner = startRunner({ url: api.url, display: display.id, dataDir: join(folder, "runner"), env });
	try {
		await runner.says("waiting for sessions");
		const session = await openSession({ url }, chromeOptions.binary, { webSocketUrl: true });
		expect(session.capabilities).not.toHaveProperty("se:cdp");
		const own = new WebSocket(String(session.capabilities.webSocketUrl));
		const heard: string[] = [];
		own.addEventListener("message", ({ data }) => {
			const { method, params } = JSON.parse(String(data));
			if (method !== undefined) heard.push(`${method} ${params.text}`);
		});
		await new Promise((resolve) => own.addEventListener("open", resolve));
		own.send(JSON.stringify({ id: 1, method: "session.subscribe", params: { events: ["log.entryAdded"] } }));
		await session.show(shopUrl);
		await pause(6_000);
		await session.quit();
		own.close();
		const job = await newestJob();
		expect(job.stopCondition).toBe("selenium_session");
		await expectShop(job, ["The shop is not ready", "error"]);
		// The client hears its own subscriptions only, and none of the runner's.
		const said = ["The shop is not ready", `coupon ${COUPON}`, "error"];
		expect(heard).toEqual(said.map((text) => `log.entryAdded ${text}`));
		const { body } = await api.call("GET", `/v1/jobs/${job.id}/events`);
		expect(JSON.stringify(body)).not.toContain("browser_log");
	} finally {
		await runner.stop();
	}
});
