import { route } from "#lib/http/route.ts";
import { installScript } from "#lib/runners/install/install-script.ts";

export const GET = route(
	{
		operationId: "getInstallScript",
		summary: "Get the shell script that installs a runner of the dashboard's version",
		permission: "public",
		answers: { 200: ["text/x-shellscript"] },
	},
	async ({ app }) =>
		new Response(await installScript(app.runnerDownloads, app.baseUrl), {
			headers: { "content-type": "text/x-shellscript; charset=utf-8", "cache-control": "no-store" },
		}),
);
