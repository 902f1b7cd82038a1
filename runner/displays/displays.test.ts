import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeXauthority } from "../../test/displays/xauthority.ts";
import { reservedNumber, startXvfb, type VirtualDisplay, type XvfbOptions } from "../../test/displays/xvfb.ts";
import { requireProgram } from "../../test/processes/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { pause, until } from "../../test/wait.ts";
import { lineLog } from "../base/log.ts";
import { AllowedDisplays } from "./allowed-displays.ts";
import type { DisplayName } from "./display-name.ts";
import { Displays } from "./displays.ts";
import { refusalOf } from "./x11-refusal.ts";

let lines: string[];
let folder: string;
const open: { displays: Displays[]; servers: VirtualDisplay[] } = { displays: [], servers: [] };

beforeEach(async () => {
	lines = [];
	folder = await temporaryFolder("displays");
});
afterEach(async () => {
	for (const displays of open.displays.splice(0)) displays.close();
	for (const server of open.servers.splice(0)) await server.stop();
});

async function look(
	fixed: DisplayName | null = null,
	xauthority = join(folder, "none"),
	allow: string | null = null,
): Promise<Displays> {
	const displays = new Displays(
		fixed,
		xauthority,
		lineLog((line) => lines.push(line)),
		AllowedDisplays.of(allow?.split(",") ?? null),
	);
	open.displays.push(displays);
	await displays.start();
	return displays;
}
async function xvfb(options: XvfbOptions = {}): Promise<VirtualDisplay> {
	const server = await startXvfb(options);
	open.servers.push(server);
	return server;
}

test("local displays are found with their sizes as they start and stop", async () => {
	const first = await xvfb({ width: 801, height: 603 });
	const displays = await look();
	const id = first.id;
	expect(displays.get(id)).toEqual({ id, width: 801, height: 603, xName: `${id}.0` });
	const second = await xvfb({ number: reservedNumber() });
	await until(() => displays.get(second.id), "the second display");
	await second.kill();
	await until(() => displays.get(second.id) === undefined, "a dead socket is no display");
	const back = await xvfb({ number: second.number, width: 320, height: 200 });
	expect(await displays.waitFor(back.id, 40_000)).toMatchObject({ width: 320, height: 200 });
});

test("a display that is not allowed is not opened, listed or waited for", async () => {
	const [served, hidden] = [await xvfb(), await xvfb()];
	const displays = await look({ host: null, number: hidden.number, screen: 0 }, undefined, served.id);
	expect(displays.list().map(({ id }) => id)).toEqual([served.id]);
	expect(lines.join("\n")).not.toContain(`Display ${hidden.id} found`);
	expect(lines.join("\n")).toContain(`DISPLAY is ${hidden.id}.0, which is not in TAPEDECK_DISPLAY_ALLOW`);
	// At once, and not as one that may still appear.
	const appears = displays.waitFor(":54321", 5_000);
	const first = await Promise.race([
		displays.waitFor(hidden.id, 60_000).then(() => "not waited for"),
		appears.then(() => "waited for"),
	]);
	expect(first).toBe("not waited for");
	expect(await displays.waitFor(hidden.id, 60_000)).toBeUndefined();
	expect(displays.refusalOf(hidden.id)?.what).toContain("TAPEDECK_DISPLAY_ALLOW");
	expect(displays.refusalOf(served.id)).toBeNull();
});

test("a remote display that is not allowed does not hide the local one", async () => {
	const own = await xvfb({ tcp: true });
	const displays = await look({ host: "127.0.0.1", number: own.number, screen: 0 }, undefined, own.id);
	expect(displays.get(own.id)?.xName).toBe(`${own.id}.0`);
});

test("waiting for a display that does not appear ends in time", async () => {
	// Displays of other tests are not opened: one may just be starting.
	const displays = await look(null, undefined, ":54321");
	// A timer of this process is as late as those of the wait.
	const first = await Promise.race([displays.waitFor(":54321", 700), pause(2_000).then(() => "too late")]);
	expect(first).toBeUndefined();
});

test("<host>:<number> is opened over TCP and hides the local display with that number, with a warning", async () => {
	const server = await xvfb({ tcp: true });
	const displays = await look({ host: "127.0.0.1", number: server.number, screen: 0 });
	const found = await until(() => displays.get(server.id), "the display by TCP");
	expect(found.xName).toBe(`127.0.0.1:${server.number}.0`);
	expect(displays.list().filter(({ id }) => id === server.id)).toHaveLength(1);
	expect(lines.join("")).toContain(`hides this machine's own display ${server.id}`);
});

test("a display with access control opens with its cookie; without it, the runner logs the remedy", async () => {
	const cookie = randomBytes(16);
	const auth = join(folder, "auth");
	await writeXauthority(auth, cookie);
	const server = await xvfb({ auth });
	const refused = await look();
	expect(refused.get(server.id)).toBeUndefined();
	expect(refused.refusalOf(server.id)?.remedy).toContain("XAUTHORITY");
	const known = join(folder, "known");
	await writeXauthority(known, cookie, ["54321", String(server.number)]);
	expect((await look(null, known)).get(server.id)).toBeDefined();
});

test("a display with as many clients as it allows is refused for that, and is found again when one has left", async () => {
	const server = await xvfb({ more: ["-maxclients", "64"] });
	const clients: Socket[] = [];
	// A setup request of a client without a cookie.
	const setup = Buffer.from("6c000b000000000000000000", "hex");
	const fill = async () => {
		for (let isFull = false; !isFull; ) {
			const client = connect(`/tmp/.X11-unix/X${server.number}`);
			client.on("error", () => undefined);
			clients.push(client);
			client.write(setup);
			isFull = await new Promise((resolve) => client.once("data", (answer) => resolve(answer[0] === 0)));
		}
	};
	await fill();
	let displays = await look();
	// Runners of other tests are clients, too: one has left, and this one is a client now.
	while (displays.get(server.id) !== undefined) {
		await fill();
		displays = await look();
	}
	expect(displays.refusalOf(server.id)).toEqual({
		code: "display_unavailable",
		what: `Display ${server.id} has as many clients as its X server allows (Maximum number of clients reached)`,
		remedy: expect.stringContaining("-maxclients"),
	});
	// The machine may have other displays.
	expect(lines.filter((line) => line.includes(`${server.id} `)).join("")).not.toContain("XAUTHORITY");
	for (const client of clients) client.destroy();
	expect(await displays.waitFor(server.id, 40_000)).toBeDefined();
	expect(displays.refusalOf(server.id)).toBeNull();
});

test("a screen that a display does not have is named, and so is the remedy", async () => {
	const server = await xvfb();
	const displays = await look({ host: null, number: server.number, screen: 3 });
	expect(displays.refusalOf(server.id)).toMatchObject({
		what: `Display ${server.id} does not have the screen that DISPLAY names (It has no screen 3)`,
		remedy: expect.stringContaining("set DISPLAY without the part after the dot"),
	});
});

test.each([
	["Maximum number of clients reached", "-maxclients"],
	["Authorization required, but no authorization protocol specified", "XAUTHORITY"],
	["No protocol specified", "XAUTHORITY"],
	["Client is not authorized to connect to Server", "XAUTHORITY"],
	["Invalid MIT-MAGIC-COOKIE-1 key", "XAUTHORITY"],
	["XDM authorization key matches an existing client!", "XAUTHORITY"],
	["Protocol version mismatch", "which program"],
	["Prohibited client endianess, see the Xserver man page", "which program"],
	["something else", "log of its X server"],
])("a server that says %s is reported with its own remedy", (reason, remedy) => {
	expect(refusalOf(reason).what).toContain(`(${reason})`);
	expect(refusalOf(reason).remedy).toContain(remedy);
});

test("the size of a display is the one that the X server reports", async () => {
	const server = await xvfb({ width: 1001, height: 701 });
	const displays = await look();
	const { stdout } = await promisify(execFile)(requireProgram("xrandr"), ["--display", server.id]);
	const [, width, height] = /current (\d+) x (\d+)/.exec(stdout) ?? [];
	expect(displays.get(server.id)).toMatchObject({ width: Number(width), height: Number(height) });
});
