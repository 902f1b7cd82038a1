/** The manifests of deploy/kubernetes that come from the chart. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { helm } from "../bin/setup/external-programs.mjs";

const CHART = join(import.meta.dirname, "chart");

/** @param flags of `helm template`. @returns the manifests. @throws with Helm's message if the values contradict each other. */
export async function renderChart(...flags: string[]): Promise<string> {
	return (await promisify(execFile)(helm, ["template", "tapedeck", CHART, ...flags])).stdout;
}

const DASHBOARD = `# Two dashboards behind a service, rendered from ../chart with several.yaml by "node deploy/render.ts": change the chart, not this.
# Before the first \`kubectl apply -f dashboard.yaml\`:
#   1. Build the image (deploy/dashboard.Dockerfile) and push it to your registry; set it below, twice.
#   2. Create the secret:
#        kubectl create secret generic tapedeck \\
#          --from-literal=TAPEDECK_SECRET_KEY=$(openssl rand -hex 32) \\
#          --from-literal=TAPEDECK_METRICS_TOKEN=$(openssl rand -hex 32) \\
#          --from-literal=TAPEDECK_DATABASE_URL=postgres://… \\
#          --from-literal=TAPEDECK_DATABASE_DIRECT_URL=postgres://… \\
#          --from-literal=TAPEDECK_STORAGE_URL='s3://bucket/prefix?region=…' \\
#          --from-literal=AWS_ACCESS_KEY_ID=… --from-literal=AWS_SECRET_ACCESS_KEY=…
#   3. Set TAPEDECK_URL and the host of the Ingress, and in the NetworkPolicy the namespaces of your ingress controller and
#      of Prometheus.
# Prometheus reads the metrics with podmonitor.yaml, or without its operator with prometheus.yml.
`;
const POD_MONITOR = `# For the Prometheus Operator: \`kubectl apply -f podmonitor.yaml\`, in the namespace of the dashboards. Load
# ../prometheus-alerts.yml as a PrometheusRule. Rendered from ../chart by "node deploy/render.ts".
`;

/** @returns texts by the names of their files. */
export async function renderedManifests(): Promise<Record<string, string>> {
	const several = await renderChart("--values", join(CHART, "several.yaml"));
	const monitor = await renderChart("--show-only", "templates/monitoring.yaml", "--set", "podMonitor.enabled=true");
	return { "dashboard.yaml": DASHBOARD + plain(several), "podmonitor.yaml": POD_MONITOR + plain(monitor) };
}

/** Removes the paths of templates, which Helm adds. */
const plain = (text: string): string =>
	text
		.replace(/^---\n# Source: .*\n/, "")
		.replaceAll(/^# Source: .*\n/gm, "")
		.replaceAll(/\n+---/g, "\n---");
