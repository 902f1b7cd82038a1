/** Other ways to start a runner than the installer: from a clone, in a container, in GitHub Actions. */
import { shellQuoted } from "#lib/contract/shell.ts";
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

/** Steps of a GitHub Actions job: some before the steps that use the display, one after. Keep docs/runner.md in sync. */
export const actionsSteps = ({ url, name }: Omit<RunnerInstall, "token">): string =>
	`- uses: actions/checkout@v4
  with:
    repository: YOUR-ORG/tapedeck
    path: tapedeck
- name: Start a display and its Tapedeck runner
  working-directory: tapedeck
  env:
    TAPEDECK_URL: ${JSON.stringify(url)}
    TAPEDECK_TOKEN: \${{ secrets.TAPEDECK_TOKEN }}
    TAPEDECK_RUNNER_NAME: ${JSON.stringify(name)}
    DISPLAY: ":99"
  run: |
    sudo apt-get update && sudo apt-get install -y ffmpeg xvfb
    npm ci --omit=dev
    setsid Xvfb "$DISPLAY" -screen 0 1920x1080x24 &
    setsid npm run runner > runner.log 2>&1 &
    # The next steps use this display and this runner.
    echo "DISPLAY=$DISPLAY" >> "$GITHUB_ENV"
    echo "TAPEDECK_RUNNER_NAME=$TAPEDECK_RUNNER_NAME" >> "$GITHUB_ENV"
    bin/tapedeck status --wait --display "$DISPLAY" || { cat runner.log; exit 1; }
- name: Begin the recording
  run: tapedeck/bin/tapedeck record --name "$GITHUB_WORKFLOW $GITHUB_RUN_NUMBER"
# …your tests…
- name: End the recording and upload it
  if: always()
  run: tapedeck/bin/tapedeck stop --name "$GITHUB_WORKFLOW $GITHUB_RUN_NUMBER" --wait
`;
