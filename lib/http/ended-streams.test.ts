/** A video stream ends once access to it ends. Tested over real sockets with a slow reader, like a player. */
import { request } from "node:http";
import { setTimeout as passed } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "#test/api-people.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

/** Promised in docs/security.md. */
const ENDED_WITHIN_MS = 5_000;
/** Far more than the socket buffers on both sides hold. */
const BYTES = 64_000_000;

let api: TestApi;
let recordingId: number;
beforeAll(async () => {
	api = await startTestApi();
	const raw = await makeExternalVideo({ bytes: BYTES });
	const headers = { "content-type": "video/mp4" };
	recordingId = (await api.call("POST", "/v1/recordings?name=Long", { raw, headers })).body.id;
});
afterAll(() => api.stop());

/**
 * Starts to read a video and pauses after the first bytes.
 * @returns a function that reads the rest and returns whether it was complete
 */
function beginReading(url: string, headers: Record<string, string> = {}): Promise<() => Promise<boolean>> {
	return new Promise((resolve, reject) => {
		const req = request(url, { headers, agent: false }, (res) => {
			expect(res.statusCode).toBe(200);
			res.once("data", () => {
				res.pause();
				resolve(
					() =>
						new Promise((read) => {
							res.on("error", () => {});
							res.on("close", () => read(res.complete));
							res.resume();
						}),
				);
			});
		});
		req.on("error", reject);
		req.end();
	});
}

test("a video stream ends within 5 seconds of the end of its link, signature, key or session, and no other stream does", async () => {
	const path = `${api.url}/v1/recordings/${recordingId}/video`;
	const owner = await signIn(api);
	const links = `/v1/recordings/${recordingId}/links`;
	const [ended, lasting] = await Promise.all(
		[1, 2].map(async () => (await api.call("POST", links, { body: { expiresAt: null } })).body),
	);
	const shared = (link: { url: string }) => `${api.url}/v1/shared/${link.url.split("/").at(-1)}/video`;
	const key = (await owner.call("POST", "/v1/api-keys", { body: { name: "Ends" } })).body;
	const other = await signIn(api);
	const signed = (await api.call("GET", `/v1/recordings/${recordingId}/url?expiresInSeconds=3`)).body;
	const reading = {
		link: await beginReading(shared(ended)),
		signature: await beginReading(signed.url),
		key: await beginReading(path, { authorization: `Bearer ${key.secret}` }),
		session: await beginReading(path, { cookie: other.cookie() }),
		otherLink: await beginReading(shared(lasting)),
		otherSession: await beginReading(path, { cookie: owner.cookie() }),
	};

	expect((await api.call("DELETE", `${links}/${ended.id}`)).status).toBe(204);
	expect((await owner.call("DELETE", `/v1/api-keys/${key.id}`)).status).toBe(204);
	expect((await owner.call("DELETE", "/v1/me/sessions")).status).toBe(204);
	await expect.poll(async () => (await fetch(signed.url)).status, { timeout: 10_000 }).toBe(401);
	// The client does not read during this time, so more data waits than any buffer holds.
	await passed(ENDED_WITHIN_MS);
	const whole = Object.fromEntries(
		await Promise.all(Object.entries(reading).map(async ([name, read]) => [name, await read()])),
	);
	expect(whole).toEqual({
		...{ link: false, signature: false, key: false, session: false },
		...{ otherLink: true, otherSession: true },
	});
});
