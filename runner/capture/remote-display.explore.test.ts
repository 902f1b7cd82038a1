import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startXvfb, type VirtualDisplay } from "../../test/displays/xvfb.ts";
import { probe } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { startTcpProxy, type TcpProxy } from "../../test/servers/tcp-proxy.ts";
import { pause, until } from "../../test/wait.ts";

const scene = runnerScene({ display: null });
let server: VirtualDisplay;
let proxy: TcpProxy;
let id: string;
/** The display on a host whose network can go silent. */
let name: string;

beforeAll(async () => {
	server = await startXvfb({ tcp: true });
	await server.move();
});
afterAll(() => server.stop());
beforeEach(async () => {
	proxy = await startTcpProxy(`http://127.0.0.1:${6_000 + server.number}`);
	id = `:${Number(new URL(proxy.url).port) - 6_000}`;
	name = `127.0.0.1${id}`;
});
afterEach(() => proxy.stop());

const offered = () => scene.dashboard.displays.some((display) => display.id === id);

test("a remote display whose network goes silent is withdrawn within 15 s, and offered again when it is back", async () => {
	await scene.start({ env: { DISPLAY: name } });
	expect(offered()).toBe(true);
	proxy.stall();
	await until(() => !offered(), "the display is not offered any more", 15_000);
	expect(scene.runner.output()).toContain(`Display ${id} no longer responds.`);
	proxy.resume();
	await until(offered, "the display is offered again", 15_000);
});

test("a recording of a remote display whose network goes silent ends as display_lost within 30 s, with its video", async () => {
	await scene.start({ env: { DISPLAY: name } });
	const job = scene.interrupt(id);
	await scene.status(job, "recording");
	await until(() => job.posters.length > 0, "something is captured");
	proxy.stall();
	await until(
		() => scene.reasonOf(job) === "display_lost",
		() => `it is lost:\n${scene.runner.output()}`,
		30_000,
	);
	await scene.spoolEmpty();
	expect((await probe(await scene.dashboard.video(job))).faults).toBe("");
});

test("an idle remote display stays offered", async () => {
	await scene.start({ env: { DISPLAY: name } });
	// Longer than an unresponsive display would stay offered.
	await pause(15_000);
	expect(offered()).toBe(true);
	expect(proxy.connections).toBe(1);
});
