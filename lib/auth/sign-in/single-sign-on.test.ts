/** Single sign-on against a real OpenID provider: who comes in, as what, and who does not. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listenAsOpenIdProvider, type OpenIdProvider } from "#test/servers/openid-provider.ts";
import { startTestApi, TEST_EMAIL, type TestApi } from "../../../test/api-server.ts";
import { join, type Person, signIn } from "../../../test/api-people.ts";

let provider: OpenIdProvider;
let api: TestApi;
let owner: Person;
beforeAll(async () => {
	provider = await listenAsOpenIdProvider();
	api = await startTestApi({
		TAPEDECK_OIDC_ISSUER: provider.issuer,
		TAPEDECK_OIDC_CLIENT_ID: provider.clientId,
		TAPEDECK_OIDC_CLIENT_SECRET: provider.clientSecret,
		TAPEDECK_OIDC_ALLOWED_DOMAINS: "example.com, example.org",
		TAPEDECK_OIDC_DEFAULT_ROLE: "viewer",
	});
	owner = await signIn(api);
});
afterAll(async () => {
	await api.stop();
	await provider.stop();
});
beforeEach(() => provider.accounts.clear());

const verified = (email: string) => ({ email, email_verified: true, name: "Grace Hopper" });

/** A browser: follows redirects with its cookies, until it comes to a page of ours. */
class Browser {
	readonly #jar = new Map<string, string>();

	cookie(url: string): string {
		const { host } = new URL(url);
		return [...this.#jar]
			.flatMap(([key, value]) => (key.startsWith(host) ? [`${key.split(" ")[1]}=${value}`] : []))
			.join("; ");
	}
	async fetch(url: string, init: RequestInit = {}): Promise<Response> {
		const response = await fetch(url, {
			...init,
			redirect: "manual",
			headers: { cookie: this.cookie(url), ...(init.headers as Record<string, string>) },
		});
		for (const line of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			this.#jar.set(`${new URL(url).host} ${name}`, value);
		}
		return response;
	}
	/** @returns the address of the page that the browser ends at. */
	async signOn(subject: string, path = "sign-in/social"): Promise<URL> {
		provider.visitor = subject;
		// The provider asks anew who it is.
		for (const key of this.#jar.keys()) if (key.startsWith(new URL(provider.issuer).host)) this.#jar.delete(key);
		const begun = await this.fetch(`${api.url}/api/auth/${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: api.url, cookie: this.cookie(api.url) },
			body: JSON.stringify({ provider: "oidc", callbackURL: "/jobs", errorCallbackURL: "/login" }),
		});
		expect(begun.status).toBe(200);
		let at = new URL(((await begun.json()) as { url: string }).url);
		expect(Object.fromEntries(at.searchParams)).toMatchObject({
			code_challenge_method: "S256",
			state: expect.stringMatching(/.{20}/),
			nonce: expect.stringMatching(/.{20}/),
		});
		for (let hop = 0; hop < 10; hop++) {
			if (at.origin === api.url && !at.pathname.startsWith("/api/")) return at;
			const response = await this.fetch(at.href);
			at = new URL(response.headers.get("location") ?? "/nowhere", at);
		}
		throw new Error(`the browser is still on its way, at ${at.href}`);
	}
	async me() {
		const response = await this.fetch(`${api.url}/v1/me`);
		return { status: response.status, body: await response.json() };
	}
}

test("a provider that was away when the dashboard started is found when somebody wants it", async () => {
	const away = await api.call("POST", "/api/auth/sign-in/social", {
		token: null,
		headers: { origin: api.url },
		body: { provider: "oidc", callbackURL: "/jobs" },
	});
	expect(away.status).toBe(404);
	provider.start(`${api.url}/api/auth/callback/oidc`);
	provider.accounts.set("first", verified("first@example.com"));
	expect((await new Browser().signOn("first")).pathname).toBe("/jobs");
});

test("the first sign-in makes the account with the default role, later ones find it", async () => {
	provider.accounts.set("grace", verified("Grace@Example.com"));
	const browser = new Browser();
	expect((await browser.signOn("grace")).href).toBe(`${api.url}/jobs`);
	const first = (await browser.me()).body;
	expect(first).toMatchObject({ email: "grace@example.com", name: "Grace Hopper", role: "viewer", organizationId: 1 });
	expect(first.signInMethods).toEqual(["singleSignOn"]);
	await owner.call("PATCH", `/v1/members/${first.userId}`, { body: { role: "admin" } });
	const again = new Browser();
	await again.signOn("grace");
	expect((await again.me()).body).toMatchObject({ userId: first.userId, role: "admin" });
});

test("a name from the provider is one of ours, whatever it holds", async () => {
	for (const [index, [told, name]] of [
		["Grace\u0000\nHopper", "Grace  Hopper"],
		["\u202e\u200b", "named-1"],
		[`${"x".repeat(99)}👍`, "x".repeat(99)],
	].entries()) {
		provider.accounts.set(`named-${index}`, { ...verified(`named-${index}@example.com`), name: told as string });
		const browser = new Browser();
		expect((await browser.signOn(`named-${index}`)).pathname).toBe("/jobs");
		expect((await browser.me()).body.name).toBe(name);
	}
});

test("who was removed is not let in again by the provider", async () => {
	provider.accounts.set("leaver", verified("leaver@example.com"));
	const browser = new Browser();
	await browser.signOn("leaver");
	await owner.call("DELETE", `/v1/members/${(await browser.me()).body.userId}`);
	await browser.signOn("leaver");
	expect((await browser.me()).status).toBe(403);
});

test.each([
	["an e-mail that is not verified", { email: "eve@example.com", email_verified: false }, "email_not_verified"],
	["an e-mail of another domain", verified("eve@evil.example"), "domain_not_allowed"],
	["a domain that only ends alike", verified("eve@notexample.com"), "domain_not_allowed"],
	["a domain before another at sign", verified('"eve@example.com"@evil.example'), "domain_not_allowed"],
])("%s is refused, and makes no account", async (_name, claims, error) => {
	provider.accounts.set("eve", claims);
	const before = await api.app.db.selectFrom("user").select("id").execute();
	const browser = new Browser();
	const at = await browser.signOn("eve");
	expect([at.pathname, at.searchParams.get("error")]).toEqual(["/login", error]);
	expect((await browser.me()).status).toBe(401);
	expect(await api.app.db.selectFrom("user").select("id").execute()).toEqual(before);
});

test("a later sign-in is judged anew: a domain that is left lets nobody in", async () => {
	provider.accounts.set("mover", verified("mover@example.com"));
	await new Browser().signOn("mover");
	provider.accounts.set("mover", verified("mover@elsewhere.example"));
	const at = await new Browser().signOn("mover");
	expect(at.searchParams.get("error")).toBe("domain_not_allowed");
});

test("an account with a password is not taken over by its e-mail, but connected by its owner", async () => {
	provider.accounts.set("boss", verified(TEST_EMAIL));
	const at = await new Browser().signOn("boss");
	expect(at.searchParams.get("error")).toBe("account_not_linked");

	const person = await join(api, owner, "member");
	provider.accounts.set("person", verified(person.email));
	provider.accounts.set("other", verified("other@example.com"));
	const signedIn = new Browser();
	await signedIn.fetch(`${api.url}/api/auth/sign-in/email`, {
		method: "POST",
		headers: { "content-type": "application/json", origin: api.url },
		body: JSON.stringify({ email: person.email, password: person.password }),
	});
	expect((await signedIn.signOn("other", "link-social")).searchParams.get("error")).toBe("email_does_not_match");
	expect((await signedIn.signOn("person", "link-social")).pathname).toBe("/jobs");
	expect((await signedIn.me()).body.signInMethods).toEqual(["password", "singleSignOn"]);
	const later = new Browser();
	await later.signOn("person");
	expect((await later.me()).body.userId).toBe(person.userId);
});

test("an answer of the provider counts in the browser alone that asked", async () => {
	provider.accounts.set("grace", verified("grace@example.com"));
	const begun = await new Browser().fetch(`${api.url}/api/auth/sign-in/social`, {
		method: "POST",
		headers: { "content-type": "application/json", origin: api.url },
		body: JSON.stringify({ provider: "oidc", callbackURL: "/jobs", errorCallbackURL: "/login" }),
	});
	const { url } = (await begun.json()) as { url: string };
	const victim = new Browser();
	let at = new URL(url);
	provider.visitor = "grace";
	while (at.origin === provider.issuer) at = new URL((await victim.fetch(at.href)).headers.get("location") ?? "", at);
	const answer = await victim.fetch(at.href);
	expect(answer.headers.get("location")).toMatch(/\/login\?error=state_mismatch/);
	expect((await victim.me()).status).toBe(401);
});

test("nothing of the provider's tokens is kept", async () => {
	const tables = await api.app.db
		.selectFrom("account" as "user")
		.selectAll()
		.execute();
	for (const row of tables as unknown as Record<string, unknown>[]) {
		expect([row.accessToken, row.refreshToken, row.idToken]).toEqual([null, null, null]);
	}
});
