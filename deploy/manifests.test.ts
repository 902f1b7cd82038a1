/** The files for Docker Compose and Kubernetes fit their schemas, each other, the images and the documentation. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { startComposeNginx } from "#test/servers/nginx.ts";

const text = (name: string) => readFile(new URL(name, import.meta.url), "utf8");

const KINDS = [Deployment, StatefulSet, HorizontalPodAutoscaler, Ingress, PodDisruptionBudget, ConfigMap, Service];

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
	const [, deployment] = await manifestsOf("kubernetes/dashboard.yaml");
	const wrong = structuredClone(deployment) as unknown as { spec: { replicas: unknown } };
	wrong.spec.replicas = "two";
	expect(() => new Deployment(wrong as never).validate()).toThrow(/replicas/);
});

interface Compose {
	services: Record<string, { image: string; volumes?: string[]; depends_on?: object }>;
	volumes: Record<string, null>;
}

test("the services of compose.yaml name volumes, services and files that exist", async () => {
	const { services, volumes } = parse(await text("compose.yaml"), { merge: true }) as Compose;
	const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
	const named = mounted.map((volume) => volume.split(":")[0] ?? "");
	expect(named.filter((name) => !name.startsWith("./")).sort()).toEqual(Object.keys(volumes).sort());
	for (const name of named.filter((one) => one.startsWith("./"))) expect(await text(name)).not.toBe("");
	for (const { depends_on: others = [] } of Object.values(services)) {
		expect(Object.keys(services)).toEqual(expect.arrayContaining(Array.isArray(others) ? others : Object.keys(others)));
	}
});

test("nginx of compose.yaml passes requests to both dashboards", async () => {
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
	"kubernetes/dashboard.yaml",
	"kubernetes/runner.yaml",
	"dashboard.Dockerfile",
	"runner.Dockerfile",
])("each of our variables in %s is documented", async (name) => {
	const documented = (await text("../docs/operating.md")) + (await text("../docs/runner.md"));
	for (const [variable] of (await text(name)).matchAll(/\b(TAPEDECK|SE)_[A-Z_]+\b/g)) {
		expect(documented, `${variable} in ${name}`).toContain(`\`${variable}\``);
	}
});
