/** deploy/haproxy.cfg: what happens to requests on their way when a dashboard drains, and when it hangs. */
import { createServer, type Server, type ServerResponse } from "node:http";
import { get } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startHaproxy } from "#test/servers/haproxy.ts";

/** A dashboard as a balancer sees it. */
class Backend {
	health: "ok" | "stopping" | "hung" = "ok";
	/** The open answers of `/open`. */
	readonly open: ServerResponse[] = [];
	readonly name: string;
	readonly #server: Server;

	constructor(name: string) {
		this.name = name;
		this.#server = createServer((req, res) => {
			if (req.url === "/v1/health") {
				if (this.health !== "hung") res.writeHead(this.health === "ok" ? 200 : 503).end();
			} else if (req.url === "/open") {
				res.writeHead(200, { "x-name": name }).write("begun ");
				this.open.push(res);
			} else res.end(name);
		});
	}

	async listen(): Promise<number> {
		await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => this.#server.closeAllConnections());
		onTestFinished(() => void this.#server.close());
		return (this.#server.address() as AddressInfo).port;
	}
}

test("a dashboard that drains finishes its requests and gets no new ones; one that hangs loses its sessions", async () => {
	const backends = ["a", "b", "c"].map((name) => new Backend(name));
	const [drained, hung, other] = backends as [Backend, Backend, Backend];
	const haproxy = await startHaproxy(await Promise.all(backends.map((backend) => backend.listen())));
	onTestFinished(() => haproxy.stop());
	const { port, certificate: ca } = haproxy;
	/** @returns the name of the backend that answers, and the whole answer, or null when it breaks off. */
	const request = (path: string) =>
		new Promise<{ name: string; body: Promise<string | null> }>((resolve, reject) => {
			get({ port, host: "127.0.0.1", path, ca, rejectUnauthorized: false, agent: false }, (res) => {
				const body = res.toArray().then(
					(chunks) => Buffer.concat(chunks).toString(),
					() => null,
				);
				resolve({ name: String(res.headers["x-name"]), body });
			}).on("error", reject);
		});
	const text = async () => (await request("/")).body;

	const open = new Map<string, Promise<string | null>>();
	while (open.size < 3) {
		const { name, body } = await request("/open");
		open.set(name, body);
	}
	drained.health = "stopping";
	hung.health = "hung";
	expect(await open.get(hung.name)).toBeNull();
	const sixAnswers = async () => new Set(await Promise.all(Array.from({ length: 6 }, text)));
	await expect.poll(sixAnswers).toEqual(new Set([other.name]));
	for (const { open } of [drained, other]) for (const res of open) res.end("finished");
	expect([await open.get(drained.name), await open.get(other.name)]).toEqual(["begun finished", "begun finished"]);
	hung.health = "ok";
	await expect.poll(text).toBe(hung.name);
});
