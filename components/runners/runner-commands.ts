/** The commands that start a runner: by the installer, from a clone, in a container, in GitHub Actions. */
import { shellQuoted } from "@tapedeck/contract/shell.ts";

export interface RunnerInstall {
	/** The dashboard's base URL. */
	url: string;
	/** The runner token's secret. */
	token: string;
	name: string;
}

/**
 * Installs the dashboard's version of the runner, in any folder. The token is in the environment: everyone on the machine
 * can read the arguments of a program.
 */
export const installCommand = ({ url, token, name }: RunnerInstall): string =>
	`curl -fsSL ${url}/install.sh | TAPEDECK_TOKEN=${shellQuoted(token)} sh -s -- --name ${shellQuoted(name)}`;

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
