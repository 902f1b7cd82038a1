/** The files for Docker Compose and Kubernetes fit their schemas, each other, the images and the documentation. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { checkConfig } from "#lib/server/check-config.ts";
import { readEnv } from "#lib/server/env.ts";
import { startTestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { startComposeNginx } from "#test/servers/nginx.ts";
import { startTcpProxy, throughProxy } from "#test/servers/tcp-proxy.ts";
import { root } from "#test/stack.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";

const text = (name: string) => readFile(new URL(name, import.meta.url), "utf8");

const KINDS = [
	...[Deployment, StatefulSet, HorizontalPodAutoscaler, Ingress, NetworkPolicy, PodDisruptionBudget, ConfigMap],
	Service,
];

type Manifest = { apiVersion: string; kind: string };

async function manifestsOf(name: string): Promise<Manifest[]> {
	return parseAllDocuments(await text(name)).map((document) => {
		expect(document.errors).toEqual([]);
		return document.toJS() as Manifest;
	});
}

test.each([
	"kubernetes/dashboard.yaml",
	"kubernetes/runner.yaml",
])("%s fits the schemas of Kubernetes", async (name) => {
	for (const manifest of await manifestsOf(name)) {
		const Kind = KINDS.find((kind) => kind.is(manifest));
		if (Kind === undefined) throw new Error(`${name}: no schema is known for a ${manifest.kind}.`);
		new Kind(manifest as never).validate();
	}
});

test("the schemas find a mistake", async () => {
	const deployment = (await manifestsOf("kubernetes/dashboard.yaml")).find(({ kind }) => kind === "Deployment");
	const wrong = structuredClone(deployment) as unknown as { spec: { replicas: unknown } };
	wrong.spec.replicas = "two";
	expect(() => new Deployment(wrong as never).validate()).toThrow(/replicas/);
});

interface Compose {
	services: Record<
		string,
		{ image: string; volumes?: string[]; depends_on?: object; environment?: Record<string, string> }
	>;
	volumes: Record<string, null>;
}

test.each([
	"compose.yaml",
	"compose-several.yaml",
])("the services of %s name volumes, services and files that exist", async (name) => {
	const { services, volumes } = parse(await text(name), { merge: true }) as Compose;
	const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
	const named = mounted.map((volume) => volume.split(":")[0] ?? "");
	expect(named.filter((name) => !name.startsWith("./")).sort()).toEqual(Object.keys(volumes).sort());
	for (const name of named.filter((one) => one.startsWith("./"))) expect(await text(name)).not.toBe("");
	for (const { depends_on: others = [] } of Object.values(services)) {
		expect(Object.keys(services)).toEqual(expect.arrayContaining(Array.isArray(others) ? others : Object.keys(others)));
	}
});

test.each([
	["a file and a volume", {}],
	[
		"PostgreSQL and a bucket",
		{
			TAPEDECK_SECRET_KEY: "0123456789abcdef".repeat(4),
			TAPEDECK_DATABASE_URL: "postgres://tapedeck:change-me@postgres:5432/tapedeck",
			TAPEDECK_STORAGE_URL: "s3://tapedeck?endpoint=http://s3:7070&region=us-east-1",
		},
	],
])("the dashboard accepts its variables of compose.yaml with %s", async (_, given: Record<string, string>) => {
	const compose = await text("compose.yaml");
	for (const [name, value] of Object.entries(given))
		if (name !== "TAPEDECK_SECRET_KEY") expect(compose).toContain(value);
	const { services } = parse(compose, { merge: true }) as Compose;
	const variables = Object.entries(services.dashboard?.environment ?? {}).map(([name, value]) => [
		name,
		value.replace(/\$\{(\w+):-\}/g, (_whole, variable: string) => given[variable] ?? ""),
	]);
	const env = Object.fromEntries(variables);
	expect(checkConfig({ ...env, HOST: "0.0.0.0", PORT: "3000", TAPEDECK_DATA_DIR: "/data" })).toMatch(
		/^The configuration is valid/,
	);
	expect(services.runner?.environment?.TAPEDECK_TOKEN).toBe(env.TAPEDECK_BOOTSTRAP_RUNNER_TOKEN);
});

test("nginx of compose-several.yaml passes requests to both dashboards", async () => {
	const servers = ["first", "second"].map((name) =>
		createServer((_req, res) => void res.end(name)).listen(0, "127.0.0.1"),
	);
	await Promise.all(servers.map((server) => once(server, "listening")));
	const nginx = await startComposeNginx(servers.map((server) => (server.address() as AddressInfo).port));
	try {
		const answers = [1, 2].map(async () => (await fetch(`http://127.0.0.1:${nginx.port}/`)).text());
		expect((await Promise.all(answers)).sort()).toEqual(["first", "second"]);
	} finally {
		await nginx.stop();
		for (const server of servers) server.close().closeAllConnections();
	}
});

test.each([
	"compose.yaml",
	"compose-several.yaml",
	"kubernetes/dashboard.yaml",
	"kubernetes/runner.yaml",
	"kubernetes/podmonitor.yaml",
	"kubernetes/prometheus.yml",
	"dashboard.Dockerfile",
	"runner.Dockerfile",
])("each of our variables in %s is documented", async (name) => {
	const documented = (await text("../docs/operating.md")) + (await text("../docs/runner.md"));
	for (const [variable] of (await text(name)).matchAll(/\b(TAPEDECK|SE)_[A-Z_]+\b/g)) {
		expect(documented, `${variable} in ${name}`).toContain(`\`${variable}\``);
	}
});

test("the image of the dashboard has every guide and file that its pages link to", async () => {
	const [, ...included] = (await text("dashboard.Dockerfile.dockerignore")).trim().split("\n");
	// Builders do not enter a folder that only a pattern names.
	const paths = included.map((line) => line.slice(1));
	expect(paths.filter((path) => path.includes("*"))).toEqual([]);
	const entries = await readdir(join(root, "public"), { recursive: true, withFileTypes: true });
	const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ parentPath, name }) => join(parentPath, name));
	expect(links.length).toBeGreaterThan(20);
	for (const link of links) {
		const file = relative(root, await realpath(link));
		expect(
			paths.some((path) => file === path || file.startsWith(`${path}/`)),
			file,
		).toBe(true);
	}
});

interface Container {
	name: string;
	env?: { name: string }[];
	ports?: { name: string; containerPort: number }[];
	livenessProbe?: { httpGet?: { path: string }; tcpSocket?: { port: string } };
	readinessProbe?: { httpGet: { path: string }; periodSeconds: number; failureThreshold: number };
	resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
}
interface PodSpec {
	automountServiceAccountToken?: boolean;
	terminationGracePeriodSeconds: number;
	initContainers?: Container[];
	containers: Container[];
	volumes: { emptyDir?: { medium?: string; sizeLimit?: string } }[];
}
type Pods = Manifest & { spec: { template: { metadata: { labels: object }; spec: PodSpec } } };
type Policy = Manifest & {
	spec: { podSelector: { matchLabels: object }; ingress: { from: object[]; ports: { port: string | number }[] }[] };
};

async function podsOf(name: string): Promise<{ pods: Pods; policy: Policy | undefined; dashboard: Container }> {
	const manifests = await manifestsOf(name);
	const pods = manifests.find(({ kind }) => kind === "Deployment" || kind === "StatefulSet") as Pods;
	const policy = manifests.find(({ kind }) => kind === "NetworkPolicy") as Policy | undefined;
	const [dashboard] = pods.spec.template.spec.containers;
	return { pods, policy, dashboard: dashboard as Container };
}

const UNITS: Record<string, number> = { Mi: 2 ** 20, Gi: 2 ** 30 };
const bytesOf = (size: string) => Number.parseFloat(size) * (UNITS[size.slice(-2)] ?? Number.NaN);

test.each([
	"kubernetes/dashboard.yaml",
	"kubernetes/runner.yaml",
])("pods of %s have no token of Kubernetes, a share of the disk that their volumes fit in, and a network policy", async (name) => {
	const { pods, policy } = await podsOf(name);
	const { metadata, spec } = pods.spec.template;
	expect(spec.automountServiceAccountToken).toBe(false);
	for (const { name, resources } of [...(spec.initContainers ?? []), ...spec.containers]) {
		expect(resources?.requests, name).toMatchObject({ "ephemeral-storage": expect.any(String) });
		expect(resources?.limits, name).toMatchObject({ "ephemeral-storage": expect.any(String) });
	}
	const limits = spec.containers.map(({ resources }) => bytesOf(resources?.limits?.["ephemeral-storage"] ?? ""));
	const onDisk = spec.volumes.flatMap(({ emptyDir }) =>
		emptyDir === undefined || emptyDir.medium === "Memory" ? [] : [bytesOf(emptyDir.sizeLimit ?? "no limit")],
	);
	const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
	expect(sum(limits)).toBeGreaterThan(sum(onDisk));
	expect(policy?.spec.podSelector.matchLabels).toEqual(metadata.labels);
	expect(policy?.spec.ingress.flatMap(({ from }) => from).length).toBeGreaterThan(0);
	const ports = spec.containers.flatMap(({ ports: named = [] }) => named.map((port) => port.name));
	for (const { port } of policy?.spec.ingress.flatMap(({ ports: open }) => open) ?? []) expect(ports).toContain(port);
});

test("the variables of the dashboards' pods are ones that the dashboard accepts, and a stop fits into its grace period", async () => {
	const { pods, dashboard } = await podsOf("kubernetes/dashboard.yaml");
	const maps = (await manifestsOf("kubernetes/dashboard.yaml")).filter(({ kind }) => kind === "ConfigMap");
	const [map] = maps as [Manifest & { data: Record<string, string> }];
	const secret = Object.fromEntries(
		[...(await text("kubernetes/dashboard.yaml")).matchAll(/--from-literal=(\w+)=/g)].map(([, name = ""]) => [
			name,
			"",
		]),
	);
	expect(Object.keys(secret)).toContain("TAPEDECK_METRICS_TOKEN");
	const values = {
		...secret,
		...map.data,
		TAPEDECK_SECRET_KEY: "5e".repeat(32),
		TAPEDECK_METRICS_TOKEN: "5e".repeat(32),
		TAPEDECK_DATABASE_URL: "postgres://db/tapedeck",
		TAPEDECK_DATABASE_DIRECT_URL: "postgres://db/tapedeck",
		TAPEDECK_STORAGE_URL: "s3://bucket/prefix?region=eu-central-1",
	};
	const named = (dashboard.env ?? []).map(({ name }) => [
		name,
		name === "TAPEDECK_INTERNAL_URL" ? "http://10.0.0.5:3000" : "1",
	]);
	const env = readEnv({ ...values, ...Object.fromEntries(named) });
	expect(dashboard.ports).toEqual([{ name: "http", containerPort: env.port }]);
	const { readinessProbe: ready } = dashboard;
	expect(env.drainSeconds).toBeGreaterThan((ready?.periodSeconds ?? 0) * (ready?.failureThreshold ?? 0));
	// Afterwards, it has 5 seconds for running calls, and time for the rest.
	expect(pods.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(env.drainSeconds + 20);
});

test("a dashboard whose database is away is alive and not ready: Kubernetes sends it no calls, and does not restart it", async () => {
	const { dashboard } = await podsOf("kubernetes/dashboard.yaml");
	const databaseUrl = await createPostgresDatabase();
	const network = await startTcpProxy(databaseUrl);
	onTestFinished(() => network.stop());
	const api = await startTestApi({
		TAPEDECK_DATABASE_URL: throughProxy(network, databaseUrl),
		TAPEDECK_DATABASE_DIRECT_URL: databaseUrl,
		TAPEDECK_LOG_LEVEL: "silent",
	});
	onTestFinished(() => {
		network.resume();
		return api.stop();
	});
	const statusOf = async (path: string) => (await fetch(api.url + path)).status;
	const { livenessProbe, readinessProbe } = dashboard;
	const readyPath = readinessProbe?.httpGet.path ?? "";
	const alive = livenessProbe?.httpGet;
	if (alive === undefined) expect(livenessProbe?.tcpSocket).toEqual({ port: "http" });
	expect(await statusOf(readyPath)).toBe(200);
	network.drop();
	await expect.poll(() => statusOf(readyPath)).toBeGreaterThanOrEqual(500);
	if (alive !== undefined) expect(await statusOf(alive.path)).toBe(200);
});

test("both scrapes of the dashboards' pods have the token and the job name that the alerts select", async () => {
	const { pods, dashboard } = await podsOf("kubernetes/dashboard.yaml");
	const { labels } = pods.spec.template.metadata as { labels: Record<string, string> };
	expect(await text("prometheus-alerts.yml")).toContain('up{job="tapedeck"}');
	const monitor = parse(await text("kubernetes/podmonitor.yaml"));
	expect(labels[monitor.spec.jobLabel]).toBe("tapedeck");
	expect(labels).toMatchObject(monitor.spec.selector.matchLabels);
	const [endpoint] = monitor.spec.podMetricsEndpoints;
	expect(dashboard.ports?.map(({ name }) => name)).toContain(endpoint.port);
	expect(endpoint.authorization.credentials).toEqual({ name: "tapedeck", key: "TAPEDECK_METRICS_TOKEN" });
	const { scrape_configs: scrapes } = parse(await text("kubernetes/prometheus.yml"));
	expect(scrapes).toMatchObject([
		{ job_name: "tapedeck", authorization: { credentials_file: expect.stringContaining("TAPEDECK_METRICS_TOKEN") } },
	]);
	// Debian's promtool is built without the discovery of pods.
	const known = scrapes.map(({ kubernetes_sd_configs: found, ...scrape }: { kubernetes_sd_configs: object[] }) => {
		expect(found).toMatchObject([{ role: "pod" }]);
		return scrape;
	});
	const folder = await temporaryFolder("scrape");
	await writeFile(join(folder, "prometheus.yml"), stringify({ scrape_configs: known }));
	const args = ["check", "config", "--syntax-only", join(folder, "prometheus.yml")];
	expect((await promisify(execFile)(requireProgram("promtool"), args)).stdout).toContain("SUCCESS");
});
