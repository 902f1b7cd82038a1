/** The settings from the environment, validated before anything is installed or started. */
import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { getJson } from "./http-json.mjs";
import { Remedy } from "./remedy.mjs";

/** An address as URLs write it. */
const inUrl = (host) => (host.includes(":") ? `[${host}]` : host);
/** Listening on every address includes the one of this machine. */
const localHost = (host) => ({ "0.0.0.0": "127.0.0.1", "::": "::1" })[host] ?? host;

/**
 * @param product {import("./product.mjs").Product}
 * @returns `{ product, host, port, localUrl, publicUrl, dataDir, runnerName }`, the port free and the folder writable.
 * @throws Remedy
 */
export async function readSettings(product, env = process.env) {
	const host = env.HOST || "127.0.0.1";
	const wanted = env.PORT || "3000";
	if (!/^\d{1,5}$/.test(wanted) || Number(wanted) > 65_535) {
		throw new Remedy(`PORT is "${wanted}", which is not a valid port: set it to a number from 1 to 65535.`);
	}
	const dataDir = resolve(product.workingDir, env.TAPEDECK_DATA_DIR || product.dataDir);
	ensureWritable(dataDir);
	const port = await freePort(host, Number(wanted), product.command);
	const localUrl = `http://${inUrl(localHost(host))}:${port}`;
	return {
		host,
		port,
		localUrl,
		publicUrl: (env.TAPEDECK_URL || localUrl).replace(/\/+$/, ""),
		product,
		dataDir,
		runnerName: env.TAPEDECK_RUNNER_NAME || "demo",
	};
}

function ensureWritable(dataDir) {
	try {
		makeFolder(dataDir);
		accessSync(dataDir, constants.W_OK | constants.X_OK);
		// On a full or read-only file system, only a write fails.
		const probe = join(dataDir, `.writable-${process.pid}`);
		writeFileSync(probe, "?");
		rmSync(probe);
	} catch (error) {
		throw new Remedy(
			`The data directory ${dataDir} is not writable (${error.code}): make it writable for this user, or set TAPEDECK_DATA_DIR to another one.`,
		);
	}
}

/** Like mkdir -p. Node's recursive mkdir never returns below /proc, where no folder can be made. */
function makeFolder(path) {
	try {
		mkdirSync(path, { mode: 0o700 });
	} catch (error) {
		if (error.code === "EEXIST") return;
		const parent = dirname(path);
		if (error.code !== "ENOENT" || existsSync(parent)) throw error;
		makeFolder(parent);
		mkdirSync(path, { mode: 0o700 });
	}
}

async function freePort(host, port, command) {
	const server = createServer();
	try {
		await new Promise((listening, refused) => {
			server.once("error", refused);
			server.listen({ host, port, exclusive: true }, listening);
		});
		return server.address().port;
	} catch (error) {
		throw new Remedy(await portFault(host, port, error, command));
	} finally {
		server.close();
	}
}

async function portFault(host, port, error, command) {
	// The next port may be the trace viewer's of another dashboard.
	const other = `use another port, such as PORT=${port > 65_000 ? 3010 : port + 10} ${command}`;
	if (error.code === "EADDRINUSE") {
		const url = `http://${inUrl(localHost(host))}:${port}`;
		const answer = await getJson(`${url}/v1/openapi.json`).catch(() => null);
		return answer?.body?.info?.title?.startsWith("Tapedeck")
			? `Tapedeck already runs at ${url}: use it, stop it first, or ${other}.`
			: `Port ${port} on ${host} is in use by another program: stop it, or ${other}.`;
	}
	if (error.code === "EACCES") return `Port ${port} needs more privileges than this user has: ${other}.`;
	return `Tapedeck cannot listen on ${host} port ${port} (${error.code}): set HOST to an address of this machine.`;
}
