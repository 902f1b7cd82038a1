import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { insertOrganization } from "#lib/auth/better-auth/account-rows.ts";
import { accountTables } from "#lib/auth/better-auth/account-tables.ts";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { inExplore } from "#test/in-explore.ts";
import { until } from "#test/wait.ts";
import { DisplayPictures } from "./display-pictures.ts";

/** The length of a poll without events, in seconds: long enough for a busy machine to answer another one first. */
const POLL_SECONDS = 3;

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

/** The smallest JPEG that passes validation; `mark` makes it unique. */
const jpeg = (mark: number) => Buffer.from([0xff, 0xd8, 0xff, mark, 0xff, 0xd9]);

type Session = Awaited<ReturnType<TestApi["signIn"]>>;
const poll = async (session: Session, waitSeconds = 5) =>
	(
		await api.call("POST", "/v1/runner/sync", {
			token: TEST_RUNNER_TOKEN,
			body: { sessionId: session.sessionId, jobs: [], waitSeconds },
		})
	).body;
const put = (session: Session, picture: Buffer, { display = "99", query = "", type = "image/jpeg" } = {}) =>
	api.call("PUT", `/v1/runner/displays/${display}/picture${query}`, {
		token: TEST_RUNNER_TOKEN,
		headers: { "content-type": type, "tapedeck-session": session.sessionId },
		raw: picture,
	});
const pathOf = (session: Pick<Session, "runnerId">, display = "99") =>
	`/v1/runners/${session.runnerId}/displays/${display}/picture`;
const requestPicture = async (session: Session, display?: string, query = "") => {
	const answer = await fetch(api.url + pathOf(session, display) + query, {
		headers: { authorization: "Bearer tdk_test_0123456789abcdef" },
	});
	return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

test("a viewer's request wakes the runner's poll at once and gets the picture it sends, which is not stored", async () => {
	const [other, session] = [await api.signIn("not woken"), await api.signIn("woken")];
	for (const each of [other, session]) await poll(each, 0);
	// Began earlier, and nothing ends it.
	const notWoken = poll(other, POLL_SECONDS);
	const polled = poll(session, POLL_SECONDS);
	const requests = [requestPicture(session), requestPicture(session, "%3A99"), requestPicture(session, ":99")];
	expect((await Promise.race([polled, notWoken])).pictures).toEqual([":99"]);
	const takenAt = performance.now() - 400;
	expect((await put(session, jpeg(1), { query: "?ageMs=400" })).status).toBe(204);
	for (const { status, headers, bytes } of await Promise.all(requests)) {
		expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
			200,
			"image/jpeg",
			"no-store",
		]);
		// The age is in whole seconds. A busy machine may take long enough for it to be 1.
		expect(headers.get("age")).toMatch(/^\d+$/);
		expect(Number(headers.get("age"))).toBeLessThanOrEqual(Math.round((performance.now() - takenAt) / 1_000));
		expect(bytes).toEqual(jpeg(1));
	}
	// A request soon after shares the picture: the runner is not asked again.
	expect((await requestPicture(session)).bytes).toEqual(jpeg(1));
	expect(await poll(session, 0)).not.toHaveProperty("pictures");
	expect(await notWoken).not.toHaveProperty("pictures");
});

inExplore(test)(
	"a runner that sends nothing, like an older one, is asked again, and the viewer gets an error after 3 s",
	async () => {
		const session = await api.signIn("older");
		const asked = (async () => {
			let times = 0;
			for (const until = performance.now() + 4_000; performance.now() < until; ) {
				if ((await poll(session, 1)).pictures !== undefined) times += 1;
			}
			return times;
		})();
		const answer = await api.call("GET", pathOf(session));
		expect([answer.status, answer.body.code]).toEqual([409, "picture_unavailable"]);
		expect(answer.body.detail).toMatch(/^older sent no picture of :99 within 3 s\. /);
		expect(await asked).toBeGreaterThan(1);
		expect(await asked).toBeLessThan(5);
	},
);

test("each width is a picture of its own, and of more than four at once the runner is not asked", async () => {
	const session = await api.signIn("wide");
	await poll(session, 0);
	const widths = [480, 640, 1_280, 1_920];
	const requests = widths.map((width) => requestPicture(session, undefined, `?width=${width}`));
	const asked: { displayId: string; width: number }[] = [];
	await until(async () => {
		const { pictures = [], widePictures = [] } = await poll(session, 1);
		asked.push(...pictures.map((displayId: string) => ({ displayId, width: 480 })), ...widePictures);
		return new Set(asked.map(({ width }) => width)).size === widths.length;
	}, "the runner is asked for all widths");
	const refused = await api.call("GET", `${pathOf(session)}?width=800`);
	expect([refused.status, refused.body.code]).toEqual([429, "too_many_requests"]);
	for (const [mark, width] of widths.entries()) {
		const wide = Buffer.concat(
			[jpeg(mark), width === 480 ? "" : Buffer.alloc(300_000), Buffer.from([0xff, 0xd9])].map((part) =>
				Buffer.from(part),
			),
		);
		expect((await put(session, wide, { query: `?width=${width}` })).status).toBe(204);
		const { status, bytes } = await (requests[mark] as (typeof requests)[number]);
		expect([status, bytes.equals(wide)]).toEqual([200, true]);
	}
	expect((await api.call("GET", `${pathOf(session)}?width=15`)).status).toBe(422);
	const huge = Buffer.alloc(8 * 1024 * 1024 + 1);
	expect((await put(session, huge, { query: "?width=1920" })).status).toBe(413);
});

test("a viewer who has a picture gets 304 while it is the last one, and else only the rectangle that has changed", async () => {
	const session = await api.signIn("since");
	const show = async (box: string, size = "640x360") => {
		const input = ["-f", "lavfi", "-i", `testsrc2=size=${size},drawbox=${box}:color=white:t=fill`];
		const output = ["-frames:v", "1", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-f", "image2pipe", "-"];
		const picture = execFileSync("ffmpeg", ["-v", "error", ...input, ...output]);
		expect((await put(session, picture, { query: "?width=640" })).status).toBe(204);
		return picture;
	};
	const since = async (etag: string) => {
		const { status, headers, bytes } = await requestPicture(
			session,
			undefined,
			`?width=640&since=${encodeURIComponent(etag)}`,
		);
		return { status, bytes, etag: headers.get("etag") ?? "", part: headers.get("tapedeck-rectangle") };
	};
	const first = await show("x=32:y=32:w=40:h=10");
	const whole = await since("unknown");
	expect([whole.status, whole.bytes.equals(first), whole.part]).toEqual([200, true, null]);
	expect(await since(whole.etag)).toEqual({ status: 304, bytes: Buffer.alloc(0), etag: whole.etag, part: null });
	const second = await show("x=320:y=160:w=16:h=16");
	const changed = await since(whole.etag);
	expect([changed.status, changed.part]).toEqual([200, "32,32,304,144"]);
	expect(changed.bytes.length).toBeLessThan(second.length);
	expect((await since(changed.etag)).status).toBe(304);
	await show("x=0:y=0:w=640:h=360");
	const other = await since(changed.etag);
	expect([other.status, other.part]).toEqual([200, null]);
	// An ETag is valid for one width and one display only.
	const narrow = await requestPicture(session, undefined, `?width=480&since=${other.etag}`);
	expect(narrow.status).toBe(409);
	expect((await api.call("GET", `${pathOf(session)}?since=a%20b`)).status).toBe(422);
});

test("without a fresh picture, the last one of the past minute is returned with its age", async () => {
	const session = await api.signIn("slow");
	expect((await put(session, jpeg(2), { query: "?ageMs=20000" })).status).toBe(204);
	const { status, headers, bytes } = await requestPicture(session);
	expect([status, bytes]).toEqual([200, jpeg(2)]);
	expect(Number(headers.get("age"))).toBeGreaterThanOrEqual(20);
});

test("an offline runner, an unknown display and another organization's runner have no picture", async () => {
	const session = await api.signIn("leaving");
	await put(session, jpeg(3));
	const gone = await api.call("GET", pathOf(session, "98"));
	expect([gone.status, gone.body.code]).toEqual([404, "not_found"]);
	for (const odd of ["x", "99x", "123456"]) expect((await api.call("GET", pathOf(session, odd))).status).toBe(404);
	await api.call("POST", "/v1/runner/sign-out", { token: TEST_RUNNER_TOKEN, body: { sessionId: session.sessionId } });
	const offline = await api.call("GET", pathOf(session));
	expect([offline.status, offline.body.code]).toEqual([409, "picture_unavailable"]);
	expect(offline.body.detail).toMatch(/^leaving is offline/);

	const { db } = api.app;
	const other = await insertOrganization(accountTables(db), "Other", Date.now());
	await db.updateTable("runner").set({ organizationId: other }).where("id", "=", session.runnerId).execute();
	const theirs = await api.call("GET", pathOf(session));
	expect([theirs.status, theirs.body.code]).toEqual([404, "not_found"]);
});

test("only a runner's own session can send pictures, only of displays it reported, and only JPEGs of up to 256 KiB", async () => {
	const session = await api.signIn("own");
	const codes = async (call: ReturnType<typeof put>) => {
		const { status, body } = await call;
		return [status, body.code];
	};
	expect(await codes(put({ ...session, sessionId: "made-up-session" }, jpeg(4)))).toEqual([409, "session_superseded"]);
	expect(await codes(put(session, jpeg(4), { display: "98" }))).toEqual([404, "not_found"]);
	expect(await codes(put(session, jpeg(4), { type: "image/png" }))).toEqual([415, "unsupported_media_type"]);
	expect(await codes(put(session, Buffer.from("no picture")))).toEqual([422, "validation_failed"]);
	expect(await codes(put(session, jpeg(4), { query: "?ageMs=-1" }))).toEqual([422, "validation_failed"]);
	expect(await codes(put(session, Buffer.alloc(256 * 1024 + 1)))).toEqual([413, "payload_too_large"]);
	const asKey = await api.call("PUT", "/v1/runner/displays/99/picture", { raw: jpeg(4) });
	expect(asKey.status).toBe(403);
});

inExplore(test)("pictures are dropped after a minute, and beyond 500 the oldest is dropped at once", async () => {
	vi.useFakeTimers();
	try {
		const pictures = new DisplayPictures();
		const shot = { displayId: ":1", width: 480 };
		const isKept = async (runnerId: number) => {
			const options = { waitMs: 0, wake: () => undefined, signal: AbortSignal.abort() };
			return (await pictures.watch(runnerId, shot, options)) !== null;
		};
		for (let id = 1; id <= 501; id++) await pictures.keep({ id, organizationId: 1 }, shot, { jpeg: jpeg(1), ageMs: 0 });
		expect([await isKept(1), await isKept(2), await isKept(501)]).toEqual([false, true, true]);
		vi.advanceTimersByTime(61_000);
		expect([await isKept(2), await isKept(501)]).toEqual([false, false]);
	} finally {
		vi.useRealTimers();
	}
});
