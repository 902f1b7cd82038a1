/** Other ways to start a runner than the installer: from a clone, in a container, in GitHub Actions. */
import { shellQuoted } from "@tapedeck/contract/shell.ts";
import type { RunnerInstall } from "./install-command.ts";

/** Runs in the Tapedeck folder on the machine with the displays. */
export const shellCommand = ({ url, token, name }: RunnerInstall): string =>
	[
		`TAPEDECK_URL=${shellQuoted(url)}`,
		`TAPEDECK_TOKEN=${shellQuoted(token)}`,
		`TAPEDECK_RUNNER_NAME=${shellQuoted(name)}`,
		"npm run runner",
	].join(" ");

/** Runs in a container with access to the machine's displays. There is no published image, so it is built first. */
export const dockerCommand = ({ url, token, name }: RunnerInstall): string =>
	[
		"docker build -f deploy/runner.Dockerfile -t tapedeck-runner . &&",
		"docker run -d --restart unless-stopped --network host \\",
		"  -v /tmp/.X11-unix:/tmp/.X11-unix -v tapedeck-runner:/data \\",
		`  -e TAPEDECK_URL=${shellQuoted(url)} \\`,
		`  -e TAPEDECK_TOKEN=${shellQuoted(token)} \\`,
		`  -e TAPEDECK_RUNNER_NAME=${shellQuoted(name)} \\`,
		"  tapedeck-runner",
	].join("\n");

/** Steps of a GitHub Actions job that is recorded. Keep docs/ci.md in sync. */
export const actionsSteps = ({ url }: Pick<RunnerInstall, "url">): string =>
	`- uses: YOUR-ORG/tapedeck@main
  with:
    url: ${JSON.stringify(url)}
    token: \${{ secrets.TAPEDECK_TOKEN }}
# …your tests, which use DISPLAY…
`;
