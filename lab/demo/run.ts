/**
 * `npm run demo [-- <folder>]`: builds the demo, by default in `dist/demo`. It is the real pages, over answers and videos that
 * are recorded from a dashboard of the moment: static files for the root of any host with HTTPS.
 */
import { join, resolve } from "node:path";
import { setScene } from "#lab/screenshots/scene.ts";
import { launchBrowser, signIn } from "#lab/screenshots/signed-in.ts";
import { root } from "#test/stack.ts";
import { ensureBuilt } from "../../bin/setup/build.mjs";
import { prepare } from "../../bin/setup/prepare.mjs";
import { forTests } from "../../bin/setup/system-packages.mjs";
import { recordSite } from "./record-site.ts";
import { PAGE_SCRIPT, writeSite } from "./write-site.ts";

const NEEDED = ["Xvfb", "chromium", "ffmpeg", "ffprobe"];
const folder = resolve(process.argv[2] ?? join(root, "dist", "demo"));
const say = (line: string) => void process.stdout.write(`${line}\n`);

await prepare(forTests.filter(({ program }) => NEEDED.includes(program)));
await ensureBuilt();
const scene = await setScene(say);
const browser = await launchBrowser();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void browser.close());
try {
	// A demo has no display that it could show live.
	await scene.dashboard.api.cancelJob(scene.jobs.live);
	await scene.dashboard.api.waitFor(scene.jobs.live, "playable");
	const { url } = scene.dashboard;
	const context = await browser.newContext({ storageState: await signIn(browser, scene), reducedMotion: "reduce" });
	await context.addInitScript({ path: PAGE_SCRIPT });
	say("Visiting the pages …");
	const { pages, answers, failures } = await recordSite(context, url, "/");
	const bytes = await writeSite(folder, pages, answers);
	say(`Built the demo: ${folder}, ${pages.length} pages, ${answers.size} answers, ${(bytes / 1e6).toFixed(1)} MB`);
	for (const failure of failures) say(`Failed: ${failure}`);
	if (failures.length > 0) process.exitCode = 1;
} finally {
	await browser.close();
	await scene.stop();
}
