import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "getRunnerPackage",
		summary: "Download the runner of the dashboard's version as .tar.gz",
		permission: "runner:act",
		answers: { 200: ["application/gzip"] },
	},
	async ({ app }) => {
		const { bytes } = await app.runnerDownloads.runnerPackage();
		const headers = { "content-type": "application/gzip", "content-length": String(bytes.length) };
		return new Response(bytes, { headers });
	},
);
