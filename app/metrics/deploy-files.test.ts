/** The alerts and the Grafana dashboard in deploy/ ask for metrics that there are. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";

const METRICS_TOKEN = "prometheus-0123456789abcdef";

let api: TestApi;
let s3: FakeS3;
/** Documented metrics with the names of their labels. */
let metrics: Map<string, Set<string>>;
beforeAll(async () => {
	setFakeCredentials();
	s3 = await startFakeS3();
	// A dashboard that has everything: some metrics are of several dashboards, or of a bucket.
	api = await startTestApi({
		TAPEDECK_METRICS_TOKEN: METRICS_TOKEN,
		TAPEDECK_DATABASE_URL: await createPostgresDatabase(),
		TAPEDECK_STORAGE_URL: s3.url,
	});
	const gone = { id: "gone", holder: "killed", internalUrl: "http://10.0.0.5:3000", until: 1 };
	await api.app.db.insertInto("dashboardNode").values(gone).execute();
	const { body } = await api.call("GET", "/metrics", { token: METRICS_TOKEN });
	metrics = new Map();
	for (const [, name = "", labels = ""] of (body as string).matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
		const known = metrics.get(name) ?? new Set();
		for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
		metrics.set(name, known);
	}
});
afterAll(async () => {
	await api.stop();
	await s3.stop();
});

/** Labels that Prometheus adds itself. */
const ADDED = { metrics: ["up"], labels: ["job", "instance"] };

/** Finds unknown metrics and labels in an expression. */
function faultsOf(expression: string): string[] {
	const faults: string[] = [];
	for (const [, name = "", selected = ""] of expression.matchAll(
		/\b((?:tapedeck|process|nodejs)_\w+|up)\b(?:\{(.*?)\})?/g,
	)) {
		const labels = metrics.get(name);
		if (labels === undefined && !ADDED.metrics.includes(name)) faults.push(`no metric ${name} in: ${expression}`);
		for (const [, label = ""] of selected.matchAll(/(\w+)=/g)) {
			if (labels !== undefined && !labels.has(label) && !ADDED.labels.includes(label))
				faults.push(`no label ${label} in: ${expression}`);
		}
	}
	if (!/\b(tapedeck|process|nodejs)_|\bup\b/.test(expression)) faults.push(`no metric at all in: ${expression}`);
	return faults;
}

const deployed = (name: string) => readFile(new URL(`../../deploy/${name}`, import.meta.url), "utf8");

test("each alert asks for metrics and labels that the dashboard has", async () => {
	const { groups } = parse(await deployed("prometheus-alerts.yml"));
	const expressions: string[] = groups.flatMap(({ rules }: { rules: { expr: string }[] }) =>
		rules.map(({ expr }) => expr),
	);
	expect(expressions.length).toBeGreaterThan(4);
	expect(expressions.flatMap(faultsOf)).toEqual([]);
});

test("each panel of the Grafana dashboard asks for metrics and labels that the dashboard has", async () => {
	const { panels } = JSON.parse(await deployed("grafana-dashboard.json"));
	const expressions: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
		targets.map(({ expr }) => expr),
	);
	expect(expressions.length).toBeGreaterThanOrEqual(panels.length);
	expect(expressions.flatMap(faultsOf)).toEqual([]);
});

test("a metric or a label that does not exist is found", () => {
	expect(faultsOf('max(tapedeck_jbos{status="queued"})')).toEqual([expect.stringContaining("tapedeck_jbos")]);
	expect(faultsOf('max(tapedeck_jobs{state="queued"})')).toEqual([expect.stringContaining("label state")]);
});
