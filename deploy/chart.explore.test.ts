/** The Helm chart: what it renders for the ways in which a dashboard runs, and which values it refuses. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, PersistentVolumeClaim, Service } from "kubernetes-models/v1";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { helm } from "../bin/setup/external-programs.mjs";
import { renderChart, renderedManifests } from "./rendered-manifests.ts";

const KINDS = [
	...[Deployment, HorizontalPodAutoscaler, Ingress, NetworkPolicy, PodDisruptionBudget, ConfigMap],
	...[PersistentVolumeClaim, Service],
];
/** Kinds of the Prometheus Operator, whose schemas are not in the package. */
const OF_OPERATOR = ["PodMonitor", "PrometheusRule"];
const SEVERAL = ["postgres.enabled=true", "s3.enabled=true", "replicas=2"];

interface Manifest {
	apiVersion: string;
	kind: string;
	// biome-ignore lint/suspicious/noExplicitAny: each kind has its own.
	spec: any;
	data?: Record<string, string>;
}

async function manifests(...values: string[]): Promise<Map<string, Manifest>> {
	const documents = parseAllDocuments(await renderChart(...values.flatMap((value) => ["--set", value])));
	const all = documents.map((document) => {
		expect(document.errors).toEqual([]);
		return document.toJS() as Manifest | null;
	});
	return new Map(all.flatMap((manifest) => (manifest === null ? [] : [[manifest.kind, manifest]])));
}

test.each([
	["one dashboard on a volume", []],
	["a volume of a storage class", ["persistence.storageClass=fast", "persistence.size=1Ti"]],
	["a volume that exists", ["persistence.existingClaim=videos"]],
	["PostgreSQL, and videos on a volume", ["postgres.enabled=true"]],
	["a bucket, and SQLite on a volume", ["s3.enabled=true"]],
	["several dashboards", SEVERAL],
	["as many dashboards as are needed", [...SEVERAL, "autoscaling.enabled=true"]],
	[
		"an image of a registry",
		["image.repository=registry.example.com/tapedeck", "image.tag=1.2.3", "image.pullPolicy=Always"],
	],
	[
		"no ingress, policy or budget",
		["ingress.enabled=false", "networkPolicy.enabled=false", "podDisruptionBudget.enabled=false"],
	],
	[
		"everything of Prometheus and Grafana",
		["podMonitor.enabled=true", "prometheusRule.enabled=true", "grafanaDashboard.enabled=true"],
	],
	["further variables and a place", ["config.TAPEDECK_LOG_LEVEL=debug", "nodeSelector.disk=ssd"]],
])("the manifests for %s fit the schemas of Kubernetes", async (_what, values) => {
	for (const manifest of (await manifests(...values)).values()) {
		const Kind = KINDS.find((kind) => kind.is(manifest));
		if (Kind === undefined) expect(OF_OPERATOR).toContain(manifest.kind);
		else new Kind(manifest as never).validate();
	}
});

test("one dashboard has a volume that outlives the release, and is stopped before the next one starts", async () => {
	const found = await manifests();
	expect([...found.keys()].sort()).toEqual([
		...["ConfigMap", "Deployment", "Ingress", "NetworkPolicy", "PersistentVolumeClaim", "Service"],
	]);
	const { spec } = found.get("Deployment") as Manifest;
	expect(spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
	expect(spec.template.spec.volumes[0]).toEqual({ name: "data", persistentVolumeClaim: { claimName: "tapedeck" } });
});

test.each([
	["several dashboards share no database", ["replicas=2"], "postgres.enabled and s3.enabled"],
	["several dashboards share no videos", ["replicas=2", "postgres.enabled=true"], "postgres.enabled and s3.enabled"],
	[
		"the most dashboards are fewer than the fewest",
		[...SEVERAL, "replicas=9", "autoscaling.enabled=true"],
		"maxReplicas",
	],
	["no secret is named", ["secretName="], "secretName is empty"],
])("values are refused when %s", async (_what, values, message) => {
	await expect(manifests(...values)).rejects.toThrow(message);
});

test("the alerts and the dashboard of Grafana are the files of deploy, and runbooks lead where the values say", async () => {
	const rule = await manifests(
		"prometheusRule.enabled=true",
		"prometheusRule.runbooks=https://td.example.com/docs/guides/operating",
	);
	const alerts = await readFile(join(import.meta.dirname, "prometheus-alerts.yml"), "utf8");
	const runbooks = alerts.replaceAll(/https:\S*operating\.md/g, "https://td.example.com/docs/guides/operating");
	expect(rule.get("PrometheusRule")?.spec).toEqual(parse(runbooks));
	const text = await renderChart("--show-only", "templates/monitoring.yaml", "--set", "grafanaDashboard.enabled=true");
	const shown = JSON.parse(parse(text).data["tapedeck.json"]);
	expect(shown).toEqual(JSON.parse(await readFile(join(import.meta.dirname, "grafana-dashboard.json"), "utf8")));
});

test("the plain manifests are those of the chart", async () => {
	for (const [file, rendered] of Object.entries(await renderedManifests()))
		expect(await readFile(join(import.meta.dirname, "kubernetes", file), "utf8"), file).toBe(rendered);
});

test("helm lint has no complaint", async () => {
	const { stdout } = await promisify(execFile)(helm, ["lint", "--strict", join(import.meta.dirname, "chart")]);
	expect(stdout).toContain("0 chart(s) failed");
});
