/** Runners and commands behind a proxy: the dashboard's name can be resolved by the proxy alone. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { probe } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { type HttpProxy, startHttpProxy } from "../../test/servers/http-proxy.ts";
import { until } from "../../test/wait.ts";

const scene = runnerScene();
const NAME = "tapedeck.test";
let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-proxy-"));
	const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
	const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
	await promisify(execFile)("openssl", [
		...words,
		...files,
		"-subj",
		`/CN=${NAME}`,
		"-addext",
		`subjectAltName=DNS:${NAME}`,
	]);
});
afterAll(() => rm(folder, { recursive: true }));

/** Waits for a job from its first frame to its video. */
async function recordsOneJob(): Promise<void> {
	const job = scene.duration(1);
	await scene.status(job, "completed", 60_000);
	expect((await probe(await scene.dashboard.video(job))).faults).toBe("");
}

async function behindProxy(hosts: Record<string, number>, task: (proxy: HttpProxy) => Promise<void>): Promise<void> {
	const proxy = await startHttpProxy(hosts);
	try {
		await task(proxy);
	} finally {
		await scene.runner.stop();
		await proxy.stop();
	}
}

const portOf = (url: string) => Number(new URL(url).port);

describe("a runner behind a proxy", () => {
	test("polls, reports and uploads through it over http, with its credentials", async () => {
		await behindProxy({ [NAME]: portOf(scene.dashboard.url) }, async (proxy) => {
			const address = proxy.url.replace("//", "//me:p%40ss@");
			const env = { http_proxy: address, HTTPS_PROXY: "socks5://127.0.0.1:1" };
			const runner = await scene.start({ url: `http://${NAME}`, env });
			await recordsOneJob();
			expect(runner.output()).toContain(`through the proxy ${proxy.url}.`);
			expect(runner.output()).not.toContain("p%40ss");
			expect(proxy.requests).toContain(`POST http://${NAME}/v1/runner/sign-in`);
			expect(proxy.requests.filter((line) => line.startsWith(`PATCH http://${NAME}/v1/uploads/`))).not.toEqual([]);
			expect(proxy.authorization()).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
		});
	});

	test("tunnels through it over https, and verifies the dashboard's certificate", async () => {
		const [key, cert] = await Promise.all(["key.pem", "cert.pem"].map((name) => readFile(join(folder, name))));
		const front = createServer({ key, cert }, (socket) => {
			const onward = connect(portOf(scene.dashboard.url), "127.0.0.1");
			socket.pipe(onward).pipe(socket);
			for (const end of [socket, onward]) end.on("error", () => socket.destroy());
		});
		await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
		try {
			await behindProxy({ [NAME]: (front.address() as AddressInfo).port }, async (proxy) => {
				const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: join(folder, "cert.pem") };
				await scene.start({ url: `https://${NAME}`, env });
				await recordsOneJob();
				expect(new Set(proxy.requests)).toEqual(new Set([`CONNECT ${NAME}:443`]));
			});
		} finally {
			front.close();
		}
	});

	test("connects directly to what NO_PROXY lists, and polls a grid as the same rules say", async () => {
		await behindProxy({}, async (proxy) => {
			const env = { http_proxy: proxy.url, NO_PROXY: "localhost,::1,127.0.0.0/8" };
			await scene.start({ env });
			const job = scene.dashboard.order(scene.display.id, {
				stopCondition: "selenium_idle",
				stopConditionConfig: { gridUrl: "http://grid.test:4444" },
			});
			await until(
				() => proxy.requests.some((line) => line.startsWith("GET http://grid.test:4444/")),
				"the grid is polled",
			);
			scene.dashboard.cancel(job);
			await scene.status(job, "completed", 60_000);
			expect(proxy.requests.filter((line) => !line.includes("grid.test"))).toEqual([]);
		});
	});

	test("names a proxy that it does not support once, and connects directly", async () => {
		const runner = await scene.start({ env: { ALL_PROXY: "socks5h://127.0.0.1:1" } });
		await recordsOneJob();
		expect(runner.output().match(/ALL_PROXY names a socks5h proxy/g)).toHaveLength(1);
	});
});

test("commands call the API through the proxy, too", async () => {
	const proxy = await startHttpProxy({ [NAME]: portOf(scene.dashboard.url) });
	try {
		const env = { TAPEDECK_URL: `http://${NAME}`, TAPEDECK_API_KEY: "tdk_of-a-test", http_proxy: proxy.url };
		// The fake dashboard has no API for scripts. Only the target of the request matters.
		await tapedeck(["api", "GET", "/v1/runners?limit=1"], env);
		expect(proxy.requests).toEqual([`GET http://${NAME}/v1/runners?limit=1`]);
		const away = await tapedeck(["runners"], { ...env, http_proxy: "http://127.0.0.1:1" });
		expect(away).toMatchObject({ status: 3, text: expect.stringContaining("through the proxy http://127.0.0.1:1") });
	} finally {
		await proxy.stop();
	}
});
