/** The images of the dashboard and the runner: their steps, and their commands as the user that they name. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Container } from "#test/processes/container.ts";
import { type Images, startImages } from "#test/processes/images.ts";

let images: Images | undefined;
beforeAll(async () => {
	images = await startImages();
}, 300_000);
afterAll(() => images?.stop());

const started = (): Images => images as Images;
const containerOf = (name: string): Container => (name === "runner" ? started().runner : started().dashboard);

test.each([
	"dashboard",
	"runner",
])("the image of the %s runs as its own user, who can write to its volume only", async (name) => {
	const { run } = containerOf(name);
	expect((await run("id -u")).output.trim()).toBe("1000");
	expect((await run("touch /data/written")).status).toBe(0);
	for (const path of ["/opt/tapedeck/written", "/written", "/etc/written"]) {
		expect((await run(`touch ${path}`)).output).toMatch(/Read-only|Permission denied/);
	}
	expect(await containerOf(name).checkHealth()).toBe(0);
});

test("between the two images, a recording is made, plays and has a poster, and pages are served", async () => {
	expect(await started().record(2)).toMatchObject({ status: "completed", recording: { durationSeconds: 2 } });
	expect((await fetch(`${started().url}/login`)).status).toBe(200);
});

test("the image of the dashboard has everything of the package that runners are installed from", async () => {
	// The script names the package's digest, so the package has been made.
	expect((await fetch(`${started().url}/install.sh`)).status).toBe(200);
});

test.each([
	"runner",
	"dashboard",
])("on SIGTERM, the %s ends with status 0 within the 10 s that docker stop waits", async (name) => {
	const from = performance.now();
	expect(await containerOf(name).terminate()).toBe(0);
	expect(performance.now() - from).toBeLessThan(10_000);
});
