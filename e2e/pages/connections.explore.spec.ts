/** Connections that are no ordinary requests: offers of other protocols, halves of requests, and the end of the process. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "playwright/test";
import { isRunning } from "#test/processes/child.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { type Dashboard, startTestDashboard } from "#test/stack.ts";

const run = promisify(execFile);

let dashboard: Dashboard;
test.beforeEach(async () => {
	dashboard = await startTestDashboard();
	// Next listens for upgrades once its first page has been served.
	expect((await fetch(`${dashboard.url}/login`)).status).toBe(200);
});
test.afterEach(() => dashboard.stop());

async function open(bytes: string): Promise<Socket> {
	const socket = connect({ port: Number(new URL(dashboard.url).port), host: "127.0.0.1", allowHalfOpen: true });
	socket.on("error", () => {});
	await once(socket, "connect");
	socket.write(bytes);
	return socket;
}

const upgrade = (protocol: string, path = "/v1/health"): string =>
	`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;

const openFiles = async (): Promise<number> => (await readdir(`/proc/${dashboard.pid()}/fd`)).length;

test("a request with an Upgrade is answered in HTTP/1.1, by the API and by pages", async () => {
	for (const [protocol, path] of [
		["h2c", "/v1/health"],
		["websocket", "/v1/health"],
		["h2c", "/login"],
		["websocket", "/_next/hmr"],
	] as const) {
		const socket = await open(upgrade(protocol, path));
		const [answer] = (await once(socket, "data")) as [Buffer];
		expect(answer.toString()).toMatch(path === "/_next/hmr" ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 200 OK\r\n/);
		socket.destroy();
	}
});

test("curl with HTTP/2 and Java's client get their answers, with bodies too", async () => {
	const address = `${dashboard.url}/v1/health`;
	const { stdout } = await run(requireProgram("curl"), ["--http2", "--silent", "--show-error", address]);
	expect(JSON.parse(stdout)).toEqual({ status: "ok" });
	const file = join(dashboard.dataDir, "Call.java");
	await writeFile(file, JAVA);
	const java = await run(requireProgram("java"), [file, dashboard.url, dashboard.apiKey]);
	expect(java.stdout.trim().split("\n")).toEqual(["200 HTTP_1_1", "422 HTTP_1_1"]);
});

const JAVA = `
import java.net.URI;
import java.net.http.*;
public class Call {
	public static void main(String[] args) throws Exception {
		HttpClient client = HttpClient.newHttpClient();
		HttpRequest.Builder get = HttpRequest.newBuilder(URI.create(args[0] + "/v1/health"));
		HttpRequest.Builder post = HttpRequest.newBuilder(URI.create(args[0] + "/v1/jobs"))
			.header("Authorization", "Bearer " + args[1]).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString("{}"));
		for (HttpRequest.Builder call : new HttpRequest.Builder[] { get, post }) {
			HttpResponse<String> answer = client.send(call.build(), HttpResponse.BodyHandlers.ofString());
			System.out.println(answer.statusCode() + " " + answer.version());
		}
	}
}`;

test("connections with an Upgrade leave nothing open when their clients disconnect", async () => {
	const before = await openFiles();
	const sockets = await Promise.all(Array.from({ length: 300 }, () => open(upgrade("h2c"))));
	await Promise.all(sockets.map((socket) => once(socket, "data")));
	for (const socket of sockets) socket.destroy();
	await expect.poll(openFiles).toBeLessThan(before + 10);
});

test("the dashboard stops while clients hold their connections, whatever they are", async () => {
	const post = `POST /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${dashboard.apiKey}\r\n`;
	const json = "Content-Type: application/json\r\n";
	const held = await Promise.all(
		[
			"",
			"GET /v1/hea",
			upgrade("h2c"),
			upgrade("websocket", "/_next/hmr"),
			"CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n",
			`${post}${json}Content-Length: 10\r\n\r\n{`,
			`${post.replace("jobs", "recordings?name=x")}Content-Type: video/mp4\r\nContent-Length: 1000\r\n\r\nhalf`,
			`${post.replace("POST", "GET").replace("jobs", "events")}\r\n`,
			`POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`,
		].map(open),
	);
	await Promise.all(held.slice(2, 4).map((socket) => once(socket, "data")));
	const ended = expect.poll(() => isRunning(dashboard.pid())).toBe(false);
	process.kill(dashboard.pid(), "SIGTERM");
	await ended;
	for (const socket of held) socket.destroy();
});
