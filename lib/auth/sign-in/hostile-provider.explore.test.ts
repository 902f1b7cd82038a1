/** Single sign-on with an OpenID provider, or a proxy in between, that answers falsely or not at all. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signIn } from "#test/api-people.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { Browser } from "#test/browser.ts";
import {
	HostileOpenIdProvider,
	signWithAnotherKey,
	signWithPublishedKeyAsSecret,
	type Tampering,
} from "#test/servers/hostile-openid-provider.ts";

const DISCOVERY = "/.well-known/openid-configuration";
let provider: HostileOpenIdProvider;
let api: TestApi;
const logged: string[] = [];
beforeAll(async () => {
	provider = await HostileOpenIdProvider.listen();
});
afterAll(() => provider.stop());
let subject = 0;
beforeEach(() => {
	provider.tampering = {};
	provider.visitor = `person-${++subject}`;
	logged.length = 0;
});

async function startDashboard(): Promise<void> {
	api = await startTestApi({
		TAPEDECK_OIDC_ISSUER: provider.issuer,
		TAPEDECK_OIDC_CLIENT_ID: provider.clientId,
		TAPEDECK_OIDC_CLIENT_SECRET: provider.clientSecret,
		TAPEDECK_OIDC_NAME: "Acme Login",
		TAPEDECK_TRUSTED_PROXIES: "127.0.0.1",
	});
	const { log } = api.app;
	log.warn = log.error = (data, message) =>
		logged.push(`${message} ${JSON.stringify(data, (_, value) => (value instanceof Error ? value.message : value))}`);
}

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
	api.call("POST", path, { token: null, headers: { origin: api.url, ...headers }, body });
const begin = () => post("/api/auth/sign-in/social", { provider: "oidc", callbackURL: "/jobs" });
const rows = async (table: "user" | "session" | "account") =>
	(
		await api.app.db
			.selectFrom(table as "user")
			.select("id")
			.orderBy("id")
			.execute()
	).map(({ id }) => id);
const stored = async () => ({
	users: await rows("user"),
	sessions: await rows("session"),
	accounts: await rows("account"),
});

describe("before it has answered once", () => {
	afterEach(() => api.stop());

	test("a provider that never answers holds up nobody who signs in by password, at startup and later", async () => {
		provider.tampering = { silent: DISCOVERY };
		await startDashboard();
		const owner = await signIn(api);
		for (const _when of ["at startup", "later"]) {
			logged.length = 0;
			let isAnswered = false;
			const refused = begin().finally(() => {
				isAnswered = true;
			});
			expect((await signIn(api)).userId).toBe(owner.userId);
			expect((await owner.call("GET", "/v1/me")).status).toBe(200);
			expect(isAnswered).toBe(false);
			expect((await refused).status).toBe(503);
			expect(logged.join("\n")).toMatch(/did not answer within 5 seconds/);
		}
	});

	test("a discovery document of an issuer other than the configured one is not used", async () => {
		provider.tampering = { broken: DISCOVERY };
		await startDashboard();
		for (const issuer of ["https://other.example", `${provider.issuer}/tenant`, undefined]) {
			provider.tampering = { discovery: (document) => ({ ...document, issuer }) };
			logged.length = 0;
			const refused = await begin();
			expect(refused.status).toBe(503);
			expect(refused.body.message).toBe(
				"Acme Login is unavailable or misconfigured. Try again, or ask the person who runs Tapedeck to check the server log.",
			);
			expect(logged.join("\n")).toMatch(/issuer/);
		}
	});
});

describe("once it has answered", () => {
	beforeAll(startDashboard);
	afterAll(() => api.stop());

	test("an honest answer signs in", async () => {
		const browser = new Browser(api, provider);
		expect((await browser.signOn(provider.visitor)).pathname).toBe("/jobs");
		expect((await browser.me()).body.email).toBe(`${provider.visitor}@example.com`);
	});

	const but = (changed: object) => (honest: object) => ({ ...honest, ...changed });
	const noEmail = but({ email: undefined });
	const seconds = (): number => Math.floor(Date.now() / 1000);

	test.each<[string, () => Tampering, string, RegExp]>([
		[
			"another issuer's ID token",
			() => ({ claims: but({ iss: "https://other.example" }) }),
			"unable_to_get_user_info",
			/issuer/,
		],
		[
			"an ID token for another application",
			() => ({ claims: but({ aud: "other" }) }),
			"unable_to_get_user_info",
			/audience/,
		],
		[
			"an ID token without an audience",
			() => ({ claims: but({ aud: undefined }) }),
			"unable_to_get_user_info",
			/audience/,
		],
		[
			"an ID token that another application requested",
			() => ({ claims: but({ aud: [provider.clientId, "other"], azp: "other" }) }),
			"unable_to_get_user_info",
			/authorized party/,
		],
		[
			"a key that the provider does not publish",
			() => ({ signature: signWithAnotherKey }),
			"unable_to_get_user_info",
			/signature/,
		],
		[
			"an unsigned ID token",
			() => ({ header: but({ alg: "none" }), signature: () => "" }),
			"unable_to_get_user_info",
			/signature/,
		],
		[
			"the published key used as a secret",
			() => ({ header: but({ alg: "HS256" }), signature: signWithPublishedKeyAsSecret(provider) }),
			"unable_to_get_user_info",
			/signature/,
		],
		[
			"a key that the token brings along",
			() => ({ header: but({ kid: "mine", jku: `${provider.issuer}/jwks` }), signature: signWithAnotherKey }),
			"unable_to_get_user_info",
			/signature/,
		],
		["an expired ID token", () => ({ claims: but({ exp: seconds() - 60 }) }), "unable_to_get_user_info", /expired/],
		[
			"an ID token that never expires",
			() => ({ claims: but({ exp: undefined }) }),
			"unable_to_get_user_info",
			/no expiry/,
		],
		[
			"an ID token of the future",
			() => ({ claims: but({ nbf: seconds() + 600 }) }),
			"unable_to_get_user_info",
			/not valid yet/,
		],
		["the nonce of another sign-in", () => ({ claims: but({ nonce: "another" }) }), "unable_to_get_user_info", /nonce/],
		["an ID token without a nonce", () => ({ claims: but({ nonce: undefined }) }), "unable_to_get_user_info", /nonce/],
		[
			"an ID token without a subject",
			() => ({ claims: but({ sub: undefined }) }),
			"unable_to_get_user_info",
			/subject/,
		],
		[
			"an answer without an ID token",
			() => ({ tokens: but({ id_token: undefined }) }),
			"unable_to_get_user_info",
			/no ID token/,
		],
		["an empty ID token", () => ({ tokens: but({ id_token: "" }) }), "unable_to_get_user_info", /no ID token/],
		["an ID token that is no JWT", () => ({ tokens: but({ id_token: "abc" }) }), "unable_to_get_user_info", /JWT/],
		[
			"user info of another person",
			() => ({ claims: noEmail, userInfo: but({ sub: "somebody-else", email: "boss@example.com" }) }),
			"unable_to_get_user_info",
			/user info.*another subject/,
		],
		[
			"user info without a subject",
			() => ({ claims: noEmail, userInfo: but({ sub: undefined }) }),
			"unable_to_get_user_info",
			/user info.*another subject/,
		],
		[
			"user info that breaks off",
			() => ({ claims: noEmail, broken: "/userinfo" }),
			"unable_to_get_user_info",
			/user info/,
		],
		["no email", () => ({ claims: noEmail, userInfo: noEmail }), "email_not_found", /email/],
		[
			"an unverified email",
			() => ({ claims: but({ email_verified: false }) }),
			"email_not_verified",
			/email_not_verified/,
		],
		[
			"an email of unknown verification",
			() => ({ claims: but({ email_verified: undefined }) }),
			"email_not_verified",
			/email_not_verified/,
		],
		[
			"the answer of another issuer",
			() => ({ callback: (query) => query.set("iss", "https://other.example") }),
			"issuer_mismatch",
			/issuer/,
		],
		["no code", () => ({ callback: (query) => query.delete("code") }), "no_code", /no_code/],
		["a token endpoint that breaks off", () => ({ broken: "/token" }), "invalid_code", /token/],
		[
			"a token endpoint that never answers",
			() => ({ silent: "/token" }),
			"invalid_code",
			/did not answer within 5 seconds/,
		],
	])(
		"%s: nobody is signed in, nothing is stored, and the log says why",
		async (_name, tampering, error, line) => {
			const before = await stored();
			provider.tampering = tampering();
			const browser = new Browser(api, provider);
			const at = await browser.signOn(provider.visitor);
			expect([at.pathname, at.searchParams.get("error")]).toEqual(["/login", error]);
			expect((await browser.me()).status).toBe(401);
			expect(await stored()).toEqual(before);
			expect(logged.join("\n")).toMatch(line);
			expect(logged.join("\n")).toMatch(new RegExp(`single sign-on.*refused.*${error}`));
			if (provider.lastIdToken !== "") expect(logged.join("\n")).not.toContain(provider.lastIdToken);
		},
		20_000,
	);

	test("an ID token sent by a client instead of a redirect is not accepted, with or without a session", async () => {
		const browser = new Browser(api, provider);
		await browser.signOn(provider.visitor);
		const before = await stored();
		const body = {
			provider: "oidc",
			callbackURL: "/jobs",
			idToken: { token: provider.lastIdToken, accessToken: "stolen" },
		};
		const anonymous = await post("/api/auth/sign-in/social", body);
		expect([anonymous.status, anonymous.headers.getSetCookie().join()]).toEqual([404, ""]);
		const linking = await post("/api/auth/link-social", body, { cookie: browser.cookie(api.url) });
		expect(linking.status).toBe(404);
		expect(await stored()).toEqual(before);
	});

	test("connecting an account again stores no token of the provider's", async () => {
		const browser = new Browser(api, provider);
		await browser.signOn(provider.visitor);
		expect((await browser.signOn(provider.visitor, "link-social")).pathname).toBe("/jobs");
		const accounts = (await api.app.db
			.selectFrom("account" as "user")
			.selectAll()
			.execute()) as unknown as Record<string, unknown>[];
		expect(accounts.length).toBeGreaterThan(1);
		for (const { accessToken, refreshToken, idToken } of accounts) {
			expect([accessToken, refreshToken, idToken]).toEqual([null, null, null]);
		}
	});

	test.each([
		["the provider is there", {}],
		["the provider is away", { silent: "/end-session", broken: "/token" }],
	])("signing out ends the session when %s: its cookie is refused from then on", async (_name, tampering) => {
		const browser = new Browser(api, provider);
		await browser.signOn(provider.visitor);
		const cookie = browser.cookie(api.url);
		const me = () => api.call("GET", "/v1/me", { token: null, headers: { cookie } });
		expect((await me()).status).toBe(200);
		provider.tampering = tampering;
		const count = provider.requests.length;
		const left = await post("/api/auth/sign-out", {}, { cookie });
		expect([left.status, left.body.success]).toEqual([200, true]);
		expect((await me()).status).toBe(401);
		expect(provider.requests.length).toBe(count);
	});
});
