import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_EMAIL, TEST_PASSWORD, type TestApi } from "./test-api.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

/** Opens a stream. @returns all of its text, once it has ended. */
async function openStream(headers: Record<string, string>): Promise<{ text: Promise<string> }> {
	const response = await fetch(`${api.url}/v1/events`, { headers });
	expect(response.status).toBe(200);
	return { text: response.text() };
}

test("an event stream ends soon after its person signs out, and tells nothing of what comes then", async () => {
	const signedIn = await api.call("POST", "/api/auth/sign-in/email", {
		token: null,
		headers: { origin: api.url },
		body: { email: TEST_EMAIL, password: TEST_PASSWORD },
	});
	const cookie = signedIn.headers
		.getSetCookie()
		.map((each) => each.split(";")[0])
		.join("; ");
	const stream = await openStream({ cookie });
	const out = await api.call("POST", "/api/auth/sign-out", {
		token: null,
		headers: { cookie, origin: api.url },
		body: {},
	});
	expect(out.status).toBe(200);
	expect(await stream.text).not.toContain("event: job");
});

test("an event stream ends soon after its key is revoked", async () => {
	const stream = await openStream({ authorization: `Bearer ${TEST_API_KEY}` });
	await api.app.db.updateTable("apiKey").set({ revokedAt: Date.now() }).execute();
	expect(await stream.text).toContain("retry:");
});
