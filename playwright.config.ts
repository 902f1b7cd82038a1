import { defineConfig } from "playwright/test";
import { chooseFfmpeg } from "./test/processes/chosen-ffmpeg.ts";

// The workers that run the tests inherit this process's PATH.
chooseFfmpeg();

const root = process.getuid?.() === 0;

/** Tests of a single process, which are left out on several dashboards (`TAPEDECK_TEST_DASHBOARDS`). */
const ONE_PROCESS = [
	// The sockets and the end of a dashboard's own process, which a balancer would hide.
	"**/e2e/pages/connections.explore.spec.ts",
	// `npm run up`, which starts one dashboard.
	"**/e2e/main/up.spec.ts",
];
const several = Number(process.env.TAPEDECK_TEST_DASHBOARDS ?? 1) > 1;

export default defineConfig({
	testDir: "e2e",
	testMatch: "**/*.spec.ts",
	outputDir: "test-results",
	// More than there are cores: a test waits for videos and pages half of its time.
	workers: 3,
	projects: [
		// A worker has a dashboard, a display and a runner of its own: two that record make each other late on two cores.
		{ name: "recording", testIgnore: ["**/e2e/main/**", "**/e2e/pages/**"], workers: 1 },
		// These record a few seconds at most: they fill the other workers.
		{
			name: "pages",
			testMatch: ["**/e2e/main/**/*.spec.ts", "**/e2e/pages/**/*.spec.ts"],
			testIgnore: several ? ONE_PROCESS : [],
		},
	],
	forbidOnly: true,
	retries: 0,
	// Long enough for a machine with ten times as much to do as it can: a time-out only ends what hangs.
	timeout: 180_000,
	expect: { timeout: 30_000 },
	reporter: "list",
	use: {
		// Playwright's own Chromium has no H.264; Debian's has. Its shell lacks only the window, a third of a test's CPU time.
		launchOptions: {
			executablePath: process.env.TAPEDECK_TEST_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
			// Most machines that run tests have no graphics card, and compute OpenGL.
			args: [...(root ? ["--no-sandbox"] : []), "--disable-dev-shm-usage", "--disable-gpu"],
		},
		viewport: { width: 1280, height: 800 },
		// Recording one takes a fifth of a test's CPU time, and CI keeps only its log.
		trace: process.env.CI === undefined ? "retain-on-failure" : "off",
		screenshot: "only-on-failure",
	},
});
