/** The images of the dashboard and the runner: their steps, and their commands as the user that they name. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { inExplore } from "#test/in-explore.ts";
import { type Container, startContainer } from "#test/processes/container.ts";
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

const DASHBOARD = { PORT: "0", HOST: "127.0.0.1" };
const RUNNER = { TAPEDECK_URL: "http://127.0.0.1:9", TAPEDECK_TOKEN: "tdr_for-tests-only-0123456789" };

inExplore(test).each([
	[
		"dashboard",
		"as another user",
		{ user: 4242 },
		/^The data directory is not writable \(EACCES.+\)\. Give this user write/m,
	],
	[
		"dashboard",
		"with a read-only volume",
		{ volume: "read-only" },
		/^The data directory is not writable \(EROFS.+\)\./m,
	],
	["dashboard", "with a full volume", { volume: "full" }, /full/i],
	["runner", "as another user", { user: 4242 }, /EACCES/],
	["runner", "with a read-only volume", { volume: "read-only" }, /EROFS/],
	["runner", "with a full volume", { volume: "full" }, /ENOSPC.+free some space/],
] as const)("the %s %s ends and says what to do", async (name, _how, options, message) => {
	const variables = name === "runner" ? RUNNER : DASHBOARD;
	const container = await startContainer(`deploy/${name}.Dockerfile`, variables, options);
	try {
		expect(await container.exited).toBe(1);
		expect(container.output()).toMatch(message);
	} finally {
		await container.remove();
	}
});
