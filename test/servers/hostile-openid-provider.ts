/** An OpenID provider on loopback whose every answer a test can falsify, withhold or sign with another key. */
import { createHmac, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Record<string, unknown>;

/** Each function receives the honest value and returns the value to send instead. */
export interface Tampering {
	discovery?: (document: Json) => Json;
	header?: (header: Json) => Json;
	claims?: (claims: Json) => Json;
	/** Signs `header.claims`; by default with the published key. */
	signature?: (content: string) => string;
	/** The token endpoint's answer. */
	tokens?: (answer: Json) => Json;
	userInfo?: (claims: Json) => Json;
	/** The query that the browser brings back. */
	callback?: (query: URLSearchParams) => void;
	/** A path whose requests are never answered. */
	silent?: string;
	/** A path whose connections are closed without an answer. */
	broken?: string;
}

const clientId = "tapedeck";
const clientSecret = "a secret of the hostile provider";
const base64 = (value: string | Buffer): string => Buffer.from(value).toString("base64url");

export class HostileOpenIdProvider {
	readonly clientId = clientId;
	readonly clientSecret = clientSecret;
	/** The subject that the next visitor signs in as; its email is `<subject>@example.com`. */
	visitor = "";
	tampering: Tampering = {};
	/** The paths of the requests so far. */
	readonly requests: string[] = [];
	/** The ID token of the last answer. */
	lastIdToken = "";
	readonly published = generateKeyPairSync("rsa", { modulusLength: 2048 });
	readonly #nonces = new Map<string, string>();
	readonly #server: Server;

	private constructor() {
		this.#server = createServer((req, res) => {
			const url = new URL(req.url ?? "/", this.issuer);
			const { pathname } = url;
			this.requests.push(pathname);
			if (pathname === this.tampering.silent) return;
			if (pathname === this.tampering.broken) return void res.destroy();
			if (pathname === "/authorize") {
				return void res.writeHead(302, { location: this.#authorize(url.searchParams) }).end();
			}
			let body = "";
			req.on("data", (chunk) => {
				body += chunk;
			});
			req.on("end", () => {
				res.setHeader("content-type", "application/json");
				res.end(JSON.stringify(this.#answer(pathname, new URLSearchParams(body))));
			});
		});
	}

	static async listen(): Promise<HostileOpenIdProvider> {
		const provider = new HostileOpenIdProvider();
		await new Promise<void>((resolve) => provider.#server.listen(0, "127.0.0.1", resolve));
		return provider;
	}
	get issuer(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}
	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	#authorize(query: URLSearchParams): string {
		const code = randomUUID();
		this.#nonces.set(code, query.get("nonce") ?? "");
		const back = new URL(query.get("redirect_uri") ?? "");
		back.search = new URLSearchParams({ code, state: query.get("state") ?? "", iss: this.issuer }).toString();
		this.tampering.callback?.(back.searchParams);
		return back.href;
	}
	#answer(path: string, body: URLSearchParams): Json {
		const { tampering, issuer } = this;
		const same = (value: Json): Json => value;
		if (path === "/.well-known/openid-configuration") {
			return (tampering.discovery ?? same)({
				issuer,
				authorization_endpoint: `${issuer}/authorize`,
				token_endpoint: `${issuer}/token`,
				userinfo_endpoint: `${issuer}/userinfo`,
				jwks_uri: `${issuer}/jwks`,
				end_session_endpoint: `${issuer}/end-session`,
				id_token_signing_alg_values_supported: ["RS256"],
			});
		}
		if (path === "/jwks") {
			const key = this.published.publicKey.export({ format: "jwk" });
			return { keys: [{ ...key, kid: "published", use: "sig", alg: "RS256" }] };
		}
		if (path === "/userinfo") return (tampering.userInfo ?? same)(this.#profile());
		const now = Math.floor(Date.now() / 1000);
		this.lastIdToken = this.#idToken({
			iss: issuer,
			aud: clientId,
			iat: now,
			exp: now + 300,
			nonce: this.#nonces.get(body.get("code") ?? ""),
			...this.#profile(),
		});
		const answer = { access_token: randomUUID(), token_type: "Bearer", expires_in: 300, id_token: this.lastIdToken };
		return (tampering.tokens ?? same)(answer);
	}
	#profile(): Json {
		return { sub: this.visitor, email: `${this.visitor}@example.com`, email_verified: true, name: this.visitor };
	}
	#idToken(honest: Json): string {
		const { header, claims, signature } = this.tampering;
		const plainHeader = { alg: "RS256", kid: "published", typ: "JWT" };
		const parts = [header?.(plainHeader) ?? plainHeader, claims?.(honest) ?? honest];
		const content = parts.map((part) => base64(JSON.stringify(part))).join(".");
		return `${content}.${(signature ?? ((each) => base64(sign("sha256", Buffer.from(each), this.published.privateKey))))(content)}`;
	}
}

const other = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Signs with a key that the provider does not publish. */
export const signWithAnotherKey = (content: string): string =>
	base64(sign("sha256", Buffer.from(content), other.privateKey));

/** Signs by HMAC with the published key's text as the secret: the algorithm confusion attack. */
export const signWithPublishedKeyAsSecret = (provider: HostileOpenIdProvider) => (content: string) =>
	createHmac("sha256", provider.published.publicKey.export({ format: "pem", type: "spki" }))
		.update(content)
		.digest("base64url");
