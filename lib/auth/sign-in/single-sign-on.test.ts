/** Single sign-on against a real OpenID provider: who gets in, with which role, and who does not. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { join, type Person, signIn } from "#test/api-people.ts";
import { startTestApi, TEST_EMAIL, type TestApi } from "#test/api-server.ts";
import { Browser } from "#test/browser.ts";
import { listenAsOpenIdProvider, type OpenIdProvider } from "#test/servers/openid-provider.ts";

let provider: OpenIdProvider;
let api: TestApi;
let owner: Person;
/** The provider is down until it is started. */
async function startBoth(): Promise<void> {
	provider = await listenAsOpenIdProvider();
	api = await startTestApi({
		TAPEDECK_OIDC_ISSUER: provider.issuer,
		TAPEDECK_OIDC_CLIENT_ID: provider.clientId,
		TAPEDECK_OIDC_CLIENT_SECRET: provider.clientSecret,
		TAPEDECK_OIDC_ALLOWED_DOMAINS: "example.com, example.org",
		TAPEDECK_OIDC_DEFAULT_ROLE: "viewer",
	});
	owner = await signIn(api);
}
const startProvider = () => provider.start(`${api.url}/api/auth/callback/oidc`);
async function stopBoth(): Promise<void> {
	await api.stop();
	await provider.stop();
}

const verified = (email: string) => ({ email, email_verified: true, name: "Grace Hopper" });

test("a provider that was down when the dashboard started is found when someone signs in", async () => {
	await startBoth();
	onTestFinished(stopBoth);
	const unavailable = await api.call("POST", "/api/auth/sign-in/social", {
		token: null,
		headers: { origin: api.url },
		body: { provider: "oidc", callbackURL: "/jobs" },
	});
	expect([unavailable.status, unavailable.body.message]).toEqual([503, expect.stringMatching(/unavailable/)]);
	startProvider();
	provider.accounts.set("first", verified("first@example.com"));
	expect((await new Browser(api, provider).signOn("first")).pathname).toBe("/jobs");
});

describe("with a provider that runs", () => {
	beforeAll(async () => {
		await startBoth();
		startProvider();
	});
	beforeEach(() => provider.accounts.clear());
	afterAll(stopBoth);

	test("the first sign-in creates the account with the default role, later ones find it", async () => {
		provider.accounts.set("newcomer", verified("Newcomer@Example.com"));
		const browser = new Browser(api, provider);
		expect((await browser.signOn("newcomer")).href).toBe(`${api.url}/jobs`);
		const first = (await browser.me()).body;
		expect(first).toMatchObject({
			email: "newcomer@example.com",
			name: "Grace Hopper",
			role: "viewer",
			organizationId: 1,
		});
		expect(first.signInMethods).toEqual(["singleSignOn"]);
		await owner.call("PATCH", `/v1/members/${first.userId}`, { body: { role: "admin" } });
		const again = new Browser(api, provider);
		await again.signOn("newcomer");
		expect((await again.me()).body).toMatchObject({ userId: first.userId, role: "admin" });
	});

	test("the first sign-in is recorded as joining the organization, and shown to its members; later ones are not", async () => {
		provider.accounts.set("joiner", verified("joiner@example.com"));
		const published: string[] = [];
		const unsubscribe = api.app.events.subscribe(({ type }) => void published.push(type));
		const browser = new Browser(api, provider);
		await browser.signOn("joiner");
		await new Browser(api, provider).signOn("joiner");
		unsubscribe();
		const { userId, name } = (await browser.me()).body;
		const entries = (await owner.call("GET", `/v1/audit-log?target=user:${userId}`)).body.data;
		expect(entries.map(({ action }: { action: string }) => action)).toEqual([
			"session.started",
			"session.started",
			"member.joined",
		]);
		expect(entries.at(-1)).toMatchObject({
			organizationId: 1,
			actor: { kind: "user", id: userId, name },
			address: "127.0.0.1",
			target: { kind: "user", id: userId, name },
			detail: { role: "viewer", via: "single sign-on" },
		});
		expect(published).toEqual(["members"]);
	});

	test("a name from the provider becomes a valid name, whatever it contains", async () => {
		for (const [index, [claimedName, name]] of [
			["Grace\u0000\nHopper", "Grace  Hopper"],
			["\u202e\u200b", "named-1"],
			[`${"x".repeat(99)}👍`, "x".repeat(99)],
		].entries()) {
			provider.accounts.set(`named-${index}`, {
				...verified(`named-${index}@example.com`),
				name: claimedName as string,
			});
			const browser = new Browser(api, provider);
			expect((await browser.signOn(`named-${index}`)).pathname).toBe("/jobs");
			expect((await browser.me()).body.name).toBe(name);
		}
	});

	test("a removed member cannot rejoin through the provider", async () => {
		provider.accounts.set("leaver", verified("leaver@example.com"));
		const browser = new Browser(api, provider);
		await browser.signOn("leaver");
		await owner.call("DELETE", `/v1/members/${(await browser.me()).body.userId}`);
		await browser.signOn("leaver");
		expect((await browser.me()).status).toBe(403);
	});

	test.each([
		["an unverified email", { email: "eve@example.com", email_verified: false }, "email_not_verified"],
		["an email of another domain", verified("eve@evil.example"), "domain_not_allowed"],
		["a domain with the same ending", verified("eve@notexample.com"), "domain_not_allowed"],
		["a domain before another at sign", verified('"eve@example.com"@evil.example'), "domain_not_allowed"],
	])("%s is refused, and creates no account", async (_name, claims, error) => {
		provider.accounts.set("eve", claims);
		const before = await api.app.db.selectFrom("user").select("id").execute();
		const browser = new Browser(api, provider);
		const at = await browser.signOn("eve");
		expect([at.pathname, at.searchParams.get("error")]).toEqual(["/login", error]);
		expect((await browser.me()).status).toBe(401);
		expect(await api.app.db.selectFrom("user").select("id").execute()).toEqual(before);
	});

	test("a later sign-in is checked again: an account whose new domain is not allowed is refused", async () => {
		provider.accounts.set("mover", verified("mover@example.com"));
		await new Browser(api, provider).signOn("mover");
		provider.accounts.set("mover", verified("mover@elsewhere.example"));
		const at = await new Browser(api, provider).signOn("mover");
		expect(at.searchParams.get("error")).toBe("domain_not_allowed");
	});

	test("an account with a password is not taken over by its email, but can be linked by its owner", async () => {
		provider.accounts.set("boss", verified(TEST_EMAIL));
		const at = await new Browser(api, provider).signOn("boss");
		expect(at.searchParams.get("error")).toBe("account_not_linked");

		const person = await join(api, owner, "member");
		provider.accounts.set("person", verified(person.email));
		provider.accounts.set("other", verified("other@example.com"));
		const signedIn = new Browser(api, provider);
		await signedIn.fetch(`${api.url}/api/auth/sign-in/email`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: api.url },
			body: JSON.stringify({ email: person.email, password: person.password }),
		});
		expect((await signedIn.signOn("other", "link-social")).searchParams.get("error")).toBe("email_does_not_match");
		expect((await signedIn.signOn("person", "link-social")).pathname).toBe("/jobs");
		expect((await signedIn.me()).body.signInMethods).toEqual(["password", "singleSignOn"]);
		const later = new Browser(api, provider);
		await later.signOn("person");
		expect((await later.me()).body.userId).toBe(person.userId);
	});

	test("the provider's answer works only in the browser that asked for it", async () => {
		provider.accounts.set("grace", verified("grace@example.com"));
		const started = await new Browser(api, provider).fetch(`${api.url}/api/auth/sign-in/social`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: api.url },
			body: JSON.stringify({ provider: "oidc", callbackURL: "/jobs", errorCallbackURL: "/login" }),
		});
		const { url } = (await started.json()) as { url: string };
		const victim = new Browser(api, provider);
		let at = new URL(url);
		provider.visitor = "grace";
		while (at.origin === provider.issuer) at = new URL((await victim.fetch(at.href)).headers.get("location") ?? "", at);
		const answer = await victim.fetch(at.href);
		expect(answer.headers.get("location")).toMatch(/\/login\?error=state_mismatch/);
		expect((await victim.me()).status).toBe(401);
	});

	test("the provider's answer works once: replaying it in the same browser signs nobody in", async () => {
		provider.accounts.set("grace", verified("grace@example.com"));
		provider.visitor = "grace";
		const browser = new Browser(api, provider);
		const started = await browser.fetch(`${api.url}/api/auth/sign-in/social`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: api.url },
			body: JSON.stringify({ provider: "oidc", callbackURL: "/jobs", errorCallbackURL: "/login" }),
		});
		let at = new URL(((await started.json()) as { url: string }).url);
		const stateCookies = browser.cookie(api.url);
		while (at.origin === provider.issuer)
			at = new URL((await browser.fetch(at.href)).headers.get("location") ?? "", at);
		const first = await browser.fetch(at.href);
		expect(new URL(first.headers.get("location") ?? "", api.url).pathname).toBe("/jobs");
		const replayed = await fetch(at, { redirect: "manual", headers: { cookie: stateCookies } });
		const target = new URL(replayed.headers.get("location") ?? "", api.url);
		expect([target.pathname, target.searchParams.get("error")]).toEqual(["/login", expect.any(String)]);
		expect(replayed.headers.getSetCookie().join()).not.toContain("session_token=");
	});

	test("the provider's tokens are not stored", async () => {
		provider.accounts.set("with tokens", verified("tokens@example.com"));
		await new Browser(api, provider).signOn("with tokens");
		const tables = await api.app.db
			.selectFrom("account" as "user")
			.selectAll()
			.execute();
		expect(tables.length).toBeGreaterThan(1);
		for (const row of tables as unknown as Record<string, unknown>[]) {
			expect([row.accessToken, row.refreshToken, row.idToken]).toEqual([null, null, null]);
		}
	});
});
