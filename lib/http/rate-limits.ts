/**
 * Rate limits: calls per minute for each key or user, and for each address without valid credentials; the same for
 * pages; and open streams and downloads for each caller, which is the address for callers with a link. Runners' calls
 * are exempt, because a refused one could lose a recording. Their downloads are not exempt.
 */
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import { type Actor, type Context, callerKeyOf } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { networkOf } from "#lib/core/network-of.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";

const WINDOW_SECONDS = 60;

export type RateLimitSettings = {
	/** Calls per minute for one API key or person; 0 means no limit. */
	callsPerMinute: number;
	/** Calls per minute from one address without valid credentials; 0 means no limit. */
	unauthenticatedCallsPerMinute: number;
	/** Pages per minute for one signed-in user, or from one address without a session; 0 means no limit. */
	pagesPerMinute: number;
	/** Streams that one API key or person may hold open, and as many downloads; 0 means no limit. */
	openStreams: number;
	/** Limits of organizations that have their own. */
	byOrganization?: ReadonlyMap<number, { callsPerMinute?: number; openStreams?: number }>;
};

/** The kinds of response that a caller holds open. Each kind has its own limit. */
type Held = "streams" | "downloads";

const TOO_MANY: Record<Held, (open: number) => string> = {
	streams: (open) =>
		`Too many open streams and waiting calls (${open}). Close unused ones, or wait for many jobs with GET /v1/events.`,
	downloads: (open) =>
		`Too many open videos and downloads (${open}). Read those to their end or close them, then try again.`,
};

type Window = { name: "caller" | "address" | "pages"; quota: number; counter: RateLimiterMemory };

export class RateLimits {
	readonly #callers: Window | null;
	readonly #unauthenticated: Window | null;
	readonly #pages: Window | null;
	readonly #settings: RateLimitSettings;
	/** Windows of organizations that have their own limit. */
	readonly #ofOrganizations = new Map<number, Window | null>();
	readonly #dashboards: () => number;
	readonly #open = new Map<string, number>();

	/** @param dashboards how many share the callers now: each allows its part, as a balancer spreads the calls. */
	constructor(settings: RateLimitSettings, dashboards: () => number = () => 1) {
		this.#dashboards = dashboards;
		this.#callers = windowOf("caller", settings.callsPerMinute);
		this.#unauthenticated = windowOf("address", settings.unauthenticatedCallsPerMinute);
		this.#pages = windowOf("pages", settings.pagesPerMinute);
		this.#settings = settings;
		for (const [id, { callsPerMinute }] of settings.byOrganization ?? []) {
			if (callsPerMinute !== undefined) this.#ofOrganizations.set(id, windowOf("caller", callsPerMinute));
		}
	}

	/**
	 * Counts one call.
	 * @param actor null without valid credentials; then the call counts against the address in `headers`.
	 * @returns the `RateLimit` headers of the IETF draft, with the number of remaining calls.
	 * @throws too_many_requests
	 */
	async count(actor: Actor | null, headers: RequestHeaders): Promise<Record<string, string>> {
		if (actor === null) return take(this.#unauthenticated, this.#dashboards(), networkOf(clientAddress(headers)));
		const caller = callerOf(actor);
		if (caller === null) return {};
		const own = this.#ofOrganizations.get(actor.organizationId);
		return take(own === undefined ? this.#callers : own, this.#dashboards(), caller);
	}

	/**
	 * Counts one page, or a call of one for the session itself.
	 * @param actor null without a session; then it counts against the address in `headers`.
	 * @throws too_many_requests
	 */
	async countPage(actor: Actor | null, headers: RequestHeaders): Promise<void> {
		const caller = actor === null ? null : callerOf(actor);
		await take(this.#pages, this.#dashboards(), caller ?? `address ${networkOf(clientAddress(headers))}`);
	}

	/**
	 * Counts a stream, a call that waits, or a download as open until the returned function is called.
	 * @throws too_many_requests
	 */
	open(kind: Held, { actor, address = null }: Pick<Context, "actor" | "address">): () => void {
		const holder = actor.kind === "link" ? `address ${networkOf(address)}` : callerKeyOf(actor);
		const most = this.#settings.byOrganization?.get(actor.organizationId)?.openStreams ?? this.#settings.openStreams;
		if (holder === null || most === 0) return () => undefined;
		const key = `${kind} of ${holder}`;
		const open = this.#open.get(key) ?? 0;
		if (open >= most) {
			throw new TapedeckError("too_many_requests", TOO_MANY[kind](open), { headers: { "retry-after": "5" } });
		}
		this.#open.set(key, open + 1);
		let closed = false;
		return () => {
			if (closed) return;
			closed = true;
			const left = (this.#open.get(key) ?? 1) - 1;
			if (left === 0) this.#open.delete(key);
			else this.#open.set(key, left);
		};
	}
}

/** @returns the same bytes; `release` is called once they have all been read, or will not be. */
export function untilRead(body: ReadableStream, release: () => void): ReadableStream {
	const { readable, writable } = new TransformStream();
	void body.pipeTo(writable).then(release, release);
	return readable;
}

function windowOf(name: Window["name"], quota: number): Window | null {
	if (quota === 0) return null;
	return { name, quota, counter: new RateLimiterMemory({ points: quota, duration: WINDOW_SECONDS }) };
}

/** The caller whose calls are counted. Calls of runners are not counted. */
const callerOf = (actor: Actor): string | null => (actor.kind === "runner" ? null : callerKeyOf(actor));

async function take(window: Window | null, dashboards: number, who: string): Promise<Record<string, string>> {
	if (window === null) return {};
	const { name, quota, counter } = window;
	const policy = { "ratelimit-policy": `"${name}";q=${quota};w=${WINDOW_SECONDS}` };
	counter.points = Math.ceil(quota / dashboards);
	try {
		const left = await counter.consume(who);
		const remaining = Math.min(quota - 1, left.remainingPoints * dashboards);
		return { ...policy, ratelimit: `"${name}";r=${remaining};t=${secondsOf(left)}` };
	} catch (refused) {
		const seconds = secondsOf(refused as RateLimiterRes);
		throw new TapedeckError("too_many_requests", sentences[name](quota, seconds), {
			headers: { ...policy, ratelimit: `"${name}";r=0;t=${seconds}`, "retry-after": String(seconds) },
		});
	}
}

const sentences: Record<Window["name"], (quota: number, seconds: number) => string> = {
	caller: (quota, seconds) =>
		`Rate limit reached: ${quota} calls per minute. Try again in ${seconds} s. To follow jobs without polling, use waitFor on GET /v1/jobs/{id} or GET /v1/events.`,
	address: (quota, seconds) =>
		`Rate limit reached: ${quota} calls per minute without valid credentials from your address. Wait ${seconds} s, then send a valid API key.`,
	pages: (quota, seconds) => `Rate limit reached: ${quota} pages per minute. Reload this page in ${seconds} s.`,
};

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));
