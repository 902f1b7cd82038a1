import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { MAX_TRACK_BYTES } from "@tapedeck/contract/track.ts";
import { expect, onTestFinished, test } from "vitest";
import { type BrowserSocket, startScriptedBrowser } from "../../test/grids/scripted-browser.ts";
import { inExplore } from "../../test/in-explore.ts";
import { pause, until } from "../../test/wait.ts";
import { AllowedGrids } from "../grid/allowed-grids.ts";
import type { GridAddress } from "../grid/poll.ts";
import type { SessionCame } from "../grid/session-log.ts";
import { trackFile } from "../spool/track-files.ts";
import type { NewTrackLine } from "../spool/track-writer.ts";
import { BrowserLog } from "./browser-log.ts";

type Line = Omit<NewTrackLine, "at"> & { at: string };

const DEVTOOLS = { "se:cdp": "ws://elsewhere:4444/session/s/se/cdp" };
const BIDI = { webSocketUrl: "ws://elsewhere:4444/session/s/se/bidi" };
const EVENTS = ["log.entryAdded", "network.responseCompleted", "network.fetchError"];

const came = (id: string, capabilities: object, isFirst = false): SessionCame => ({
	session: { id, slot: null, node: null, start: null, capabilities },
	...{ at: performance.now(), isFirst },
});

/** A recording of sessions on a scripted grid. */
async function scene(
	address: Partial<GridAddress> = {},
	options: Parameters<typeof startScriptedBrowser>[0] = {},
	allow: string | null = null,
) {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-browser-"));
	const browser = await startScriptedBrowser(options);
	const notes: string[] = [];
	const mask = new SecretMask({ SHOP_TOKEN: "tok-0123456789" });
	const log = new BrowserLog(
		{ url: browser.url + (address.url ?? ""), ...{ username: address.username, password: address.password } },
		{
			folder,
			mask,
			allowed: allow === null ? AllowedGrids.all : (AllowedGrids.parse(allow) as AllowedGrids),
			note: (event, message) => notes.push(`${event}: ${message}`),
		},
	);
	onTestFinished(async () => {
		log.close();
		await browser.stop();
		await rm(folder, { recursive: true });
	});
	const text = (name: string) => readFile(trackFile(folder, name), "utf8").catch(() => "");
	const lines = async (name: string): Promise<Line[]> =>
		(await text(name))
			.split("\n")
			.slice(0, -1)
			.map((line) => JSON.parse(line));
	/** Waits until a track has this number of lines. */
	const untilLines = (name: string, count: number) =>
		until(async () => {
			const read = await lines(name);
			return read.length >= count ? read : null;
		}, `${count} lines of ${name}`);
	/** The next connection, once it has sent a command. */
	const nextSocket = (index = browser.sockets.length) =>
		until(() => (browser.sockets[index]?.commands.length ? browser.sockets[index] : null), "a connection that asks");
	return { log, browser, notes, text, lines, untilLines, nextSocket };
}

/** Answers the subscription: from now on, everything is new. */
function subscribed(socket: BrowserSocket): void {
	expect(socket.commands).toEqual([{ id: 1, method: "session.subscribe", params: { events: EVENTS } }]);
	socket.send({ type: "success", id: 1, result: { subscription: "x" } });
}
const said = (text: string, timestamp: number, level = "error") => ({
	...{ type: "event", method: "log.entryAdded" },
	params: {
		...{ type: "console", level, text, timestamp },
		stackTrace: { callFrames: [{ url: "http://shop.example/app.js", lineNumber: 6, columnNumber: 2 }] },
	},
});
/** A request that takes this many milliseconds. */
const answered = (url: string, status: number, begunAt: number, ms: number) => ({
	...{ type: "event", method: "network.responseCompleted" },
	params: {
		request: { request: "1", method: "POST", url, timings: { timeOrigin: begunAt, requestTime: 0, responseEnd: ms } },
		response: { url, status, bytesReceived: 164 },
		timestamp: begunAt,
	},
});
/** Attaches to a page by DevTools. @returns how its events are sent. */
async function attach(socket: BrowserSocket) {
	socket.send({ id: 1, result: {} });
	socket.send({
		...{ method: "Target.attachedToTarget" },
		params: { sessionId: "P", targetInfo: { type: "page", url: "about:blank" }, waitingForDebugger: false },
	});
	const asked = () => socket.commands.filter(({ sessionId }) => sessionId === "P");
	await until(() => asked().length === 4, "the page is listened to");
	for (const { id } of asked()) socket.send({ id, sessionId: "P", result: {} });
	return (method: string, params: object) => socket.send({ method, params, sessionId: "P" });
}
const near = (line: Line | undefined, at: number) =>
	expect(Math.abs(Date.parse(line?.at ?? "") - at)).toBeLessThan(200);

test("by BiDi, the console and requests that failed or took over a second are tracks, at their moments", async () => {
	const { log, untilLines, lines, nextSocket, browser } = await scene();
	log.begin(came("s", BIDI));
	const socket = await nextSocket(0);
	expect(socket.path).toBe("/session/s/se/bidi");
	const before = Date.now() - 400;
	socket.send(said("from before", before, "warn"));
	subscribed(socket);
	const now = Date.now();
	socket.send(said("broken", now));
	socket.send(answered("http://shop.example/pay", 500, now - 2_000, 2_000));
	socket.send(answered("http://shop.example/slow", 200, now - 1_500, 1_500));
	socket.send(answered("http://shop.example/quick", 204, now - 90, 90));
	socket.send({
		...{ type: "event", method: "network.fetchError" },
		params: {
			request: {
				request: "9",
				method: "GET",
				url: "https://gone.example/",
				timings: { timeOrigin: now - 50, responseEnd: 0 },
			},
			errorText: "net::ERR_CONNECTION_REFUSED",
		},
	});
	socket.send(answered("data:text/plain,x", 404, now, 1));
	const console = await untilLines("console", 2);
	const network = await untilLines("network", 3);
	expect(console).toEqual([
		{
			at: new Date(before).toISOString(),
			level: "warn",
			text: "from before",
			data: { source: "http://shop.example/app.js", line: 7 },
		},
		{ at: expect.any(String), level: "error", text: "broken", data: { source: "http://shop.example/app.js", line: 7 } },
	]);
	near(console[1], now);
	expect(network.map(({ at: _, ...line }) => line)).toEqual([
		{
			level: "error",
			text: "POST http://shop.example/pay 500",
			data: { method: "POST", status: 500, url: "http://shop.example/pay", durationMs: 2_000, bytes: 164 },
		},
		{
			level: "warn",
			text: "POST http://shop.example/slow 200",
			data: { method: "POST", status: 200, url: "http://shop.example/slow", durationMs: 1_500, bytes: 164 },
		},
		{
			level: "error",
			text: "GET https://gone.example/ net::ERR_CONNECTION_REFUSED",
			data: {
				method: "GET",
				error: "net::ERR_CONNECTION_REFUSED",
				url: "https://gone.example/",
				durationMs: expect.any(Number),
			},
		},
	]);
	near(network[0], now - 2_000);
	near(network[1], now - 1_500);
	near(network[2], now - 50);
	log.end("s");
	await until(() => socket.isClosed, "the connection is closed");
	log.close();
	expect([(await lines("console")).length, (await lines("network")).length]).toEqual([2, 3]);
	expect(browser.asked()).toBe(1);
});

test("by DevTools, also where BiDi is offered: objects, exceptions, redirects, and requests that never end", async () => {
	const { log, lines, untilLines, nextSocket } = await scene({ url: "/team/a", username: "me", password: "grün" });
	log.begin(came("s", { ...DEVTOOLS, ...BIDI }));
	const socket = await nextSocket(0);
	expect(socket.path).toBe("/team/a/session/s/se/cdp");
	expect(socket.authorization).toBe(`Basic ${Buffer.from("me:grün").toString("base64")}`);
	const event = await attach(socket);
	// Listening neither delays a page nor makes the browser buffer data.
	expect(socket.commands.map(({ method, params }) => [method, params])).toEqual(
		expect.arrayContaining([
			["Target.setAutoAttach", expect.objectContaining({ waitForDebuggerOnStart: false })],
			["Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 0 }],
		]),
	);
	const now = Date.now();
	const seconds = now / 1_000;
	const stackTrace = { callFrames: [{ url: "http://shop.example/app.js", lineNumber: 0 }] };
	const preview = {
		type: "object",
		description: "Object",
		overflow: false,
		properties: [{ name: "a", type: "number", value: "1" }],
	};
	const args = [
		{ type: "string", value: "bad" },
		{ type: "number", value: 42 },
		{ type: "object", description: "Object", preview },
	];
	event("Runtime.consoleAPICalled", { type: "warning", args, timestamp: now, stackTrace });
	const failure = { type: "object", subtype: "error", description: "TypeError: Failed to fetch\n    at app.js:1" };
	event("Runtime.consoleAPICalled", { type: "error", args: [{ ...failure, preview }], timestamp: now });
	event("Runtime.consoleAPICalled", { type: "clear", args: [], timestamp: now });
	const thrown = { text: "Uncaught", exception: { type: "object", subtype: "error", description: "Error: thrown" } };
	event("Runtime.exceptionThrown", {
		timestamp: now,
		exceptionDetails: { ...thrown, url: "http://shop.example/", lineNumber: 4 },
	});
	event("Log.entryAdded", { entry: { source: "security", level: "error", text: "Blocked by CSP", timestamp: now } });
	event("Log.entryAdded", {
		entry: { source: "network", level: "error", text: "Failed to load resource", timestamp: now },
	});
	const begin = (id: string, url: string, ago: number, more = {}) =>
		event("Network.requestWillBeSent", {
			...{ requestId: id, request: { url, method: "GET" }, timestamp: 100 - ago, wallTime: seconds - ago, ...more },
		});
	const respond = (id: string, status: number, more = {}) =>
		event("Network.responseReceived", {
			requestId: id,
			timestamp: 100,
			response: { status, url: `http://shop.example/${id}`, ...more },
		});
	begin("pay", "http://shop.example/pay", 2);
	respond("pay", 500);
	event("Network.loadingFinished", { requestId: "pay", timestamp: 100, encodedDataLength: 164 });
	begin("quick", "http://shop.example/quick", 0.1);
	respond("quick", 200);
	event("Network.loadingFinished", { requestId: "quick", timestamp: 100, encodedDataLength: 9 });
	// A slow redirect, to a page that is left.
	begin("moved", "http://shop.example/old", 4);
	begin("moved", "http://shop.example/new", 1, { redirectResponse: { status: 302, encodedDataLength: 7 } });
	event("Network.loadingFailed", { requestId: "moved", timestamp: 100, errorText: "net::ERR_ABORTED", canceled: true });
	// Sent before the subscription.
	respond("early", 404, { timing: { requestTime: 99.5 } });
	event("Network.loadingFinished", { requestId: "early", timestamp: 100, encodedDataLength: 5 });
	begin("stream", "http://shop.example/stream", 0.5);
	respond("stream", 503);
	await untilLines("network", 4);
	log.close();
	const console = await lines("console");
	expect(console.map(({ level, text, data }) => [level, text, data])).toEqual([
		["warn", "bad 42 {a: 1}", { source: "http://shop.example/app.js", line: 1 }],
		["error", "TypeError: Failed to fetch\n    at app.js:1", undefined],
		["error", "Error: thrown", { source: "http://shop.example/", line: 5 }],
		["error", "Blocked by CSP", undefined],
	]);
	for (const line of console) near(line, now);
	const network = await lines("network");
	expect(network.map(({ level, text, data }) => [level, text, data?.durationMs])).toEqual([
		["error", "GET http://shop.example/pay 500", 2_000],
		["warn", "GET http://shop.example/old 302", 3_000],
		["info", "GET http://shop.example/new net::ERR_ABORTED", 1_000],
		["error", "http://shop.example/early 404", 500],
		["error", "GET http://shop.example/stream 503", expect.any(Number)],
	]);
	near(network[0], now - 2_000);
	near(network[1], now - 4_000);
	near(network[3], now - 500);
	near(network[4], now - 500);
});

inExplore(test)("a browser whose clock is wrong does not move its lines, in either direction", async () => {
	for (const wrongMs of [-3_600_000, 3_600_000]) {
		const { log, untilLines, nextSocket } = await scene();
		log.begin(came("s", BIDI));
		const socket = await nextSocket(0);
		subscribed(socket);
		const now = Date.now();
		socket.send(said("now", now + wrongMs));
		socket.send(answered("http://shop.example/pay", 500, now + wrongMs - 2_000, 2_000));
		near((await untilLines("console", 1))[0], now);
		near((await untilLines("network", 1))[0], now - 2_000);
	}
});

inExplore(test)("earlier log lines of a session that was there before are not recorded again", async () => {
	const { log, untilLines, nextSocket } = await scene();
	const before = Date.now() - 60_000;
	log.begin(came("s", BIDI, true));
	const socket = await nextSocket(0);
	socket.send(said("recorded by the runner before", before));
	subscribed(socket);
	socket.send(said("new", Date.now()));
	expect((await untilLines("console", 1)).map(({ text }) => text)).toEqual(["new"]);
});

test("no secret is in the tracks: values of variables, headers, and what addresses carry", async () => {
	const { log, text, untilLines, nextSocket } = await scene();
	log.begin(came("s", BIDI));
	const socket = await nextSocket(0);
	subscribed(socket);
	const now = Date.now();
	socket.send(said("paid with tok-0123456789\nAuthorization: Bearer hidden-1\nGET /?api-key=hidden-7", now));
	socket.send(said(`${"x".repeat(64 * 1024 - 5)}tok-0123456789`, now));
	const url =
		"http://me:hidden-2@shop.example/tok-0123456789?page=2&access-token=hidden-3&user[password]=hidden-4#id_token=hidden-5";
	socket.send(answered(url, 500, now, 1));
	socket.send(answered(`http://shop.example/?api_key=hidden-6&q=${"y".repeat(20_000)}`, 500, now, 1));
	await untilLines("console", 2);
	const [line] = await untilLines("network", 2);
	expect(line?.data?.url).toBe(
		"http://me:***@shop.example/***?page=2&access-token=***&user[password]=***#id_token=***",
	);
	expect((await text("console")) + (await text("network"))).not.toMatch(/hidden-|tok-0/);
});

test("a browser's next events are recorded after any invalid one, and the job has no note of it", async () => {
	const { log, notes, lines, untilLines, nextSocket } = await scene();
	for (const [index, capabilities] of [BIDI, DEVTOOLS].entries()) {
		log.begin(came(`\ud800${index}`, capabilities));
		const socket = await nextSocket(index);
		for (const text of [
			"",
			"{",
			"[]",
			"null",
			"1",
			'"x"',
			'{"method":1}',
			"\u0000",
			'{"id":{}}',
			'{"id":1,"error":"no"}',
		])
			socket.send(text);
		socket.sendBytes(Buffer.from([0xff, 0xfe, 0x00]));
		const methods = [...EVENTS, "Target.attachedToTarget", "Target.detachedFromTarget", "Runtime.consoleAPICalled"];
		methods.push("Runtime.exceptionThrown", "Log.entryAdded", "Network.requestWillBeSent", "Network.responseReceived");
		for (const method of [...methods, "Network.loadingFinished", "Network.loadingFailed"]) {
			const noText = { toString: 1, valueOf: 1 };
			const noTime = { timestamp: -1e300, wallTime: -1e300, requestId: noText, type: noText, level: noText };
			const request = { url: "http://shop.example/", timings: { timeOrigin: 1e308, requestTime: 1e308 } };
			const bad = { request: [], response: "x", timestamp: "now", wallTime: {}, args: [null, 1, {}], stackTrace: 7 };
			for (const params of [
				undefined,
				null,
				1,
				"x",
				[],
				{},
				bad,
				{ entry: 1, targetInfo: null, exceptionDetails: [] },
				noTime,
				{ ...noTime, requestId: "r", request, response: { status: 500 } },
			])
				socket.send({ method, params, sessionId: 3 });
		}
		// Longer than any line: not even parsed.
		socket.send(said("z".repeat(5 << 20), Date.now()));
		if (capabilities === BIDI) socket.send(said("still here", Date.now()));
		else {
			const event = await attach(socket);
			event("Runtime.consoleAPICalled", {
				type: "log",
				args: [{ type: "string", value: "still here" }],
				timestamp: Date.now(),
			});
		}
		await until(
			async () => (await lines("console")).filter(({ text }) => text === "still here").length > index,
			"the next line",
		);
	}
	for (const { text } of await untilLines("console", 2)) expect(text).not.toContain("zzz");
	expect(notes).toEqual([]);
});

inExplore(test)(
	"a flood is recorded up to the size of a track, and no more requests are followed than a thousand",
	async () => {
		const { log, lines, text, nextSocket } = await scene();
		log.begin(came("s", DEVTOOLS));
		const socket = await nextSocket(0);
		const event = await attach(socket);
		const value = "w".repeat(60_000);
		const count = Math.ceil((1.2 * MAX_TRACK_BYTES) / value.length);
		for (let sent = 0; sent < count; sent++) {
			event("Runtime.consoleAPICalled", { type: "log", args: [{ type: "string", value }], timestamp: Date.now() });
			await socket.drained();
		}
		for (let sent = 0; sent < 5_000; sent++) {
			const request = { url: `http://shop.example/${sent}`, method: "GET" };
			event("Network.requestWillBeSent", {
				requestId: String(sent),
				request,
				timestamp: 1,
				wallTime: Date.now() / 1_000,
			});
			event("Network.responseReceived", { requestId: String(sent), response: { status: 500 }, timestamp: 1 });
			await socket.drained();
		}
		// The last one is reported when it fails. All earlier ones have been read then.
		event("Network.loadingFailed", { requestId: "4999", timestamp: 2, errorText: "net::ERR_FAILED" });
		await until(async () => (await lines("network")).length > 0, "the end of the flood");
		log.close();
		expect((await lines("network")).length).toBe(1_000);
		const console = await text("console");
		expect(Buffer.byteLength(console)).toBeLessThan(MAX_TRACK_BYTES + 2 * value.length);
		expect(console.trimEnd().split("\n").at(-1)).toContain("the rest is not recorded");
	},
);

inExplore(test)(
	"a connection that is lost is noted once, and never opened again; that of a session that has ended is no loss",
	async () => {
		const { log, notes, browser, untilLines, nextSocket } = await scene();
		for (const id of ["a", "b", "c"]) log.begin(came(id, BIDI));
		await until(() => browser.sockets.filter(({ commands }) => commands.length > 0).length === 3, "three connections");
		const socketOf = (id: string) => browser.sockets.find(({ path }) => path.includes(`/${id}/`)) as BrowserSocket;
		socketOf("a").send(said("last words", Date.now()));
		await untilLines("console", 1);
		for (const id of ["c", "a", "b"]) socketOf(id).destroy();
		await pause(500);
		log.end("c");
		await until(() => notes.length > 0, "a note");
		await pause(1_000);
		expect(notes).toEqual([
			expect.stringMatching(
				/^browser_log_lost: The connection to the browser of Session [ab] was lost: .+ not recorded any further\.$/,
			),
		]);
		expect(browser.asked()).toBe(3);
		// Other sessions are still recorded.
		log.begin(came("d", BIDI));
		(await nextSocket(3)).send(said("another session", Date.now()));
		await untilLines("console", 2);
	},
);

inExplore(test)("a grid that does not open the connection is noted, as is a session that offers none", async () => {
	const { log, notes, browser } = await scene({}, { answers: false });
	log.begin(came("a", BIDI));
	log.begin(came("b", { browserName: "firefox", webSocketUrl: true }));
	log.begin(came("c", {}));
	expect(notes).toEqual([
		"browser_log_not_offered: Session b offers neither DevTools nor BiDi: its console is not recorded. Set the capability webSocketUrl to true.",
	]);
	await until(() => notes.length > 1, "a note");
	expect(notes[1]).toMatch(/^browser_log_lost: .+ of Session a was lost: it was not opened in time\./);
	expect(browser.asked()).toBe(1);
});

inExplore(test)(
	"connections to a grid on a sub-path are opened there or else at its root, and nowhere that is not allowed",
	async () => {
		const { log, notes, browser, nextSocket } = await scene({ url: "/team/a" }, { refused: "/team/" });
		log.begin(came("a", BIDI));
		expect((await nextSocket(0)).path).toBe("/session/a/se/bidi");
		expect(browser.asked()).toBe(2);
		const restricted = await scene({ url: "/team/a" }, { refused: "/team/" }, "127.0.0.1/team");
		restricted.log.begin(came("a", BIDI));
		await until(() => restricted.notes.length > 0, "a note");
		expect(restricted.notes).toEqual([expect.stringMatching(/^browser_log_lost: /)]);
		expect(restricted.browser.asked()).toBe(1);
		expect(notes).toEqual([]);
	},
);

inExplore(test)("a recording that ends while connections are being opened ends at once, without a note", async () => {
	const { log, notes, browser } = await scene({}, { answers: false });
	log.begin(came("a", BIDI));
	await until(() => browser.asked() === 1, "a request");
	log.close();
	await pause(500);
	expect(notes).toEqual([]);
});
