/** `npx tapedeck up` on a machine without a clone: from the packages alone, by way of a registry. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connect } from "#test/api-client.ts";
import { cookieOf } from "#test/api-people.ts";
import { type Child, startChild } from "#test/processes/child.ts";
import { freePort } from "#test/processes/free-port.ts";
import { processesWithVariable } from "#test/processes/up-process.ts";
import { root } from "#test/stack.ts";
import { until } from "#test/wait.ts";
import { ensureBuilt } from "../bin/setup/build.mjs";
import { findProgram } from "../bin/setup/run.mjs";
import { packNpm, writeCommandPackage } from "./command-package.ts";
import { packWhole, writeDashboardPackage } from "./dashboard-package.ts";
import { projectVersion } from "./versions.ts";

const version = projectVersion(root);
const START_TIMEOUT = { timeout: 600_000 };

let folder: string;
let registry: Server;
let registryUrl: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-up-"));
	await ensureBuilt();
	const command = join(folder, "command");
	await writeCommandPackage(root, command, version);
	const dashboard = join(root, ".cache", "dashboard-package");
	await writeDashboardPackage(root, dashboard, version);
	registry = await startRegistry({
		tapedeck: await packNpm(command, folder),
		"@tapedeck/dashboard": await packWhole(dashboard, join(folder, "dashboard.tgz"), "0"),
	});
	registryUrl = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
}, 600_000);
afterAll(async () => {
	registry.close();
	await rm(folder, { recursive: true, force: true });
});

/** Serves packages as npm's registry does. @param archives by the package's name. */
async function startRegistry(archives: Record<string, string>): Promise<Server> {
	const server = createServer(async (req, res) => {
		const path = decodeURIComponent(req.url ?? "").slice(1);
		const archive = Object.values(archives).find((file) => path === `files/${basename(file)}`);
		if (archive !== undefined) return res.end(await readFile(archive));
		const file = archives[path];
		if (file === undefined) return res.writeHead(404).end("{}");
		const { stdout } = await promisify(execFile)("tar", ["-xzOf", file, "package/package.json"]);
		const integrity = `sha512-${createHash("sha512")
			.update(await readFile(file))
			.digest("base64")}`;
		const dist = { tarball: `http://${req.headers.host}/files/${basename(file)}`, integrity };
		const versions = { [version]: { ...JSON.parse(stdout), dist } };
		return res.end(JSON.stringify({ name: path, "dist-tags": { latest: version }, versions }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return server;
}

/** Starts it with an empty home, from an empty folder. */
async function startUp(variables: Record<string, string>): Promise<Child & { home: string; interrupt: () => void }> {
	const home = await mkdtemp(join(folder, "home-"));
	const env = { HOME: home, PATH: process.env.PATH, npm_config_registry: registryUrl, ...variables };
	const options = { cwd: home, env: env as unknown as NodeJS.ProcessEnv, detached: true };
	const child = startChild("npx", ["--yes", "tapedeck", "up"], options);
	/** Ctrl-C in a terminal, which signals all of its programs. */
	const interrupt = () => process.kill(-(child.process.pid ?? 0), "SIGINT");
	onTestFinished(async () => {
		if (child.process.exitCode === null && child.process.signalCode === null) interrupt();
		await child.exited;
	});
	return Object.assign(child, { home, interrupt });
}

test("npx tapedeck up installs the dashboard, records its display, and stops at a signal", START_TIMEOUT, async () => {
	const port = await freePort();
	const up = await startUp({ PORT: String(port) });
	await until(() => /Tapedeck is ready: /.test(up.output()), "it is ready", 280_000);
	const shown = (label: string) => new RegExp(`^ *${label} +(\\S.*)$`, "m").exec(up.output())?.[1] ?? "";
	const url = `http://127.0.0.1:${port}`;
	expect(up.output()).toContain(`Tapedeck is ready: ${url}`);
	const signIn = await fetch(`${url}/api/auth/sign-in/email`, {
		method: "POST",
		headers: { "content-type": "application/json", origin: url },
		body: JSON.stringify({ email: shown("Email"), password: shown("Password") }),
	});
	expect(signIn.status).toBe(200);
	const cookie = cookieOf(signIn);
	for (const path of [
		"/jobs",
		"/docs/guides/operating",
		"/docs/guides/operating.md",
		"/docs",
		"/install.sh",
		"/skill.md",
	])
		expect([path, (await fetch(`${url}${path}`, { headers: { cookie } })).status]).toEqual([path, 200]);

	const api = connect(url, shown("API key"));
	const [runner] = await api.runners();
	const job = await api.createJob({
		...{ runnerId: runner?.id ?? 0, displayId: runner?.displays[0]?.id ?? "", name: "demo" },
		...{ stopCondition: "duration", stopConditionConfig: { durationSeconds: 2 } },
	});
	expect(await api.waitFor(job.id, "playable")).toMatchObject({
		status: "completed",
		recording: { durationSeconds: 2 },
	});

	up.interrupt();
	// npx itself ends by the signal.
	await up.exited;
	await until(
		async () => (await processesWithVariable(`HOME=${up.home}`)).length === 0,
		"all of its processes have ended",
	);
});

test("npx tapedeck up names the taken port, and the program that is missing", START_TIMEOUT, async () => {
	const { port } = registry.address() as AddressInfo;
	const second = await startUp({ PORT: String(port) });
	expect(await second.exited).toBe(1);
	expect(second.output()).toMatch(
		new RegExp(`Port ${port} on 127.0.0.1 is in use by another program: .* PORT=\\d+ npx tapedeck up\\.`),
	);

	const bin = join(second.home, "bin");
	await mkdir(bin);
	for (const name of ["sh", "node", "npm", "npx", "env"]) await symlink(findProgram(name) ?? "", join(bin, name));
	const bare = await startUp({ PORT: String(await freePort()), PATH: bin });
	expect(await bare.exited).toBe(1);
	expect(bare.output()).toMatch(/Missing on this machine: ffmpeg, ffplay, Xvfb\. .*then start again\./);
});
