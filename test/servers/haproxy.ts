/** HAProxy with TLS in front of several servers, with exactly the configuration that we ship. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "../processes/child.ts";
import { freePort } from "../processes/free-port.ts";
import { requireProgram } from "../processes/programs.ts";
import { until } from "../wait.ts";
import { addressesOf, makeCertificate, type Nginx, replaceAll } from "./nginx.ts";

const SHIPPED = new URL("../../deploy/haproxy.cfg", import.meta.url);

/** @param ports of the three servers behind it, on 127.0.0.1. */
export async function startHaproxy(ports: readonly number[]): Promise<Nginx> {
	const dir = await mkdtemp(join(tmpdir(), "tapedeck-haproxy-"));
	const [port, plainPort] = [await freePort(), await freePort()];
	const { certificate, key } = await makeCertificate(dir);
	const both = join(dir, "both.pem");
	const pem = await readFile(certificate, "utf8");
	await writeFile(both, pem + (await readFile(key, "utf8")), { mode: 0o600 });
	const configuration = replaceAll(await readFile(SHIPPED, "utf8"), {
		...addressesOf(ports),
		"bind :80": `bind 127.0.0.1:${plainPort}`,
		"bind :443": `bind 127.0.0.1:${port}`,
		"/etc/ssl/private/tapedeck.pem": both,
		"maxconn 20000": "maxconn 500",
	});
	const file = join(dir, "haproxy.cfg");
	await writeFile(file, configuration);
	const child = startChild(requireProgram("haproxy"), ["-db", "-V", "-f", file]);
	await child.says(/Available polling systems|Using epoll/);
	// HAProxy reports readiness before it listens.
	for (const each of [port, plainPort]) await until(() => isListening(each), "HAProxy listens");
	return {
		...{ port, plainPort, certificate: pem },
		stop: async () => {
			await child.stop();
			await rm(dir, { recursive: true, force: true });
		},
	};
}

const isListening = (port: number): Promise<boolean> =>
	new Promise((resolve) => {
		const socket = connect(port, "127.0.0.1", () => {
			socket.destroy();
			resolve(true);
		});
		socket.on("error", () => resolve(false));
	});
