/** A browser without pages: keeps cookies and follows redirects until it reaches one of the dashboard's pages. */
import { randomInt } from "node:crypto";
import { expect } from "vitest";

export class Browser {
	/** The address that a trusted proxy reports, so that the limit per address counts each browser alone. */
	readonly #address = `198.18.${randomInt(256)}.${randomInt(256)}`;
	readonly #jar = new Map<string, string>();
	readonly #api: { url: string };
	readonly #provider: { issuer: string; visitor: string };

	/** @param provider the OpenID provider, whose `visitor` is the subject that signs in. */
	constructor(api: { url: string }, provider: { issuer: string; visitor: string }) {
		this.#api = api;
		this.#provider = provider;
	}

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
			headers: {
				cookie: this.cookie(url),
				"x-forwarded-for": this.#address,
				...(init.headers as Record<string, string>),
			},
		});
		for (const line of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			this.#jar.set(`${new URL(url).host} ${name}`, value);
		}
		return response;
	}
	/** @returns the URL of the page where the browser ends up. */
	async signOn(subject: string, path = "sign-in/social"): Promise<URL> {
		this.#provider.visitor = subject;
		// Deletes the provider's cookies, so that it asks again who is signing in.
		for (const key of this.#jar.keys()) if (key.startsWith(new URL(this.#provider.issuer).host)) this.#jar.delete(key);
		const started = await this.fetch(`${this.#api.url}/api/auth/${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: this.#api.url, cookie: this.cookie(this.#api.url) },
			body: JSON.stringify({ provider: "oidc", callbackURL: "/jobs", errorCallbackURL: "/login" }),
		});
		expect(started.status).toBe(200);
		let at = new URL(((await started.json()) as { url: string }).url);
		expect(Object.fromEntries(at.searchParams)).toMatchObject({
			code_challenge_method: "S256",
			state: expect.stringMatching(/.{20}/),
			nonce: expect.stringMatching(/.{20}/),
		});
		for (let hop = 0; hop < 10; hop++) {
			if (at.origin === this.#api.url && !at.pathname.startsWith("/api/")) return at;
			const response = await this.fetch(at.href);
			at = new URL(response.headers.get("location") ?? "/nowhere", at);
		}
		throw new Error(`the browser is still on its way, at ${at.href}`);
	}
	async me() {
		const response = await this.fetch(`${this.#api.url}/v1/me`);
		return { status: response.status, body: await response.json() };
	}
}
