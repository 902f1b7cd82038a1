/**
 * Rate limits: calls per minute for each key or person and for each address without valid credentials, and open streams
 * for each caller. Runners are exempt, because a refused call could lose a recording.
 */
import { isIPv6 } from "node:net";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import type { Actor } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";

const WINDOW_SECONDS = 60;

export type RateLimitSettings = {
	/** Calls per minute for one API key or person; 0 means no limit. */
	callsPerMinute: number;
	/** Calls per minute from one address without valid credentials; 0 means no limit. */
	unauthenticatedCallsPerMinute: number;
	/** Streams that one API key or person may hold open; 0 means no limit. */
	openStreams: number;
};

type Window = { name: "caller" | "address"; quota: number; counter: RateLimiterMemory };

export class RateLimits {
	readonly #callers: Window | null;
	readonly #unauthenticated: Window | null;
	readonly #openStreams: number;
	readonly #dashboards: () => number;
	readonly #open = new Map<string, number>();

	/** @param dashboards how many share the callers now: each allows its part, as a balancer spreads the calls. */
	constructor(settings: RateLimitSettings, dashboards: () => number = () => 1) {
		this.#dashboards = dashboards;
		this.#callers = windowOf("caller", settings.callsPerMinute);
		this.#unauthenticated = windowOf("address", settings.unauthenticatedCallsPerMinute);
		this.#openStreams = settings.openStreams;
	}

	/**
	 * Counts one call.
	 * @param actor null without valid credentials; then the call counts against the address in `headers`.
	 * @returns the `RateLimit` headers of the IETF draft, which say how many calls are left.
	 * @throws too_many_requests
	 */
	async count(actor: Actor | null, headers: RequestHeaders): Promise<Record<string, string>> {
		if (actor === null) return take(this.#unauthenticated, this.#dashboards(), networkOf(clientAddress(headers)));
		const caller = callerOf(actor);
		return caller === null ? {} : take(this.#callers, this.#dashboards(), caller);
	}

	/**
	 * Counts a stream as open until the returned function is called.
	 * @throws too_many_requests
	 */
	openStream(actor: Actor): () => void {
		const caller = callerOf(actor);
		if (caller === null || this.#openStreams === 0) return () => undefined;
		const open = this.#open.get(caller) ?? 0;
		if (open >= this.#openStreams) {
			throw new TapedeckError("too_many_requests", `Too many open streams (${open}). Close unused ones.`, {
				headers: { "retry-after": "5" },
			});
		}
		this.#open.set(caller, open + 1);
		let closed = false;
		return () => {
			if (closed) return;
			closed = true;
			const left = (this.#open.get(caller) ?? 1) - 1;
			if (left === 0) this.#open.delete(caller);
			else this.#open.set(caller, left);
		};
	}
}

function windowOf(name: Window["name"], quota: number): Window | null {
	if (quota === 0) return null;
	return { name, quota, counter: new RateLimiterMemory({ points: quota, duration: WINDOW_SECONDS }) };
}

function callerOf(actor: Actor): string | null {
	if (actor.kind === "apiKey") return `key ${actor.apiKeyId}`;
	return actor.kind === "user" ? `user ${actor.userId}` : null;
}

/** Counts IPv6 addresses by their /64, which usually belongs to one customer. */
function networkOf(address: string | null): string {
	if (address === null || !isIPv6(address)) return address ?? "unknown";
	const [head = "", tail] = address.split("::");
	const first = head.split(":");
	const zeros = tail === undefined ? 0 : 8 - first.length - tail.split(":").length;
	return [...first, ...Array.from({ length: Math.max(0, zeros) }, () => "0")].slice(0, 4).join(":");
}

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
		throw new TapedeckError(
			"too_many_requests",
			name === "caller"
				? `Rate limit reached: ${quota} calls per minute. Try again in ${seconds} s. To follow jobs without polling, use waitFor on GET /v1/jobs/{id} or GET /v1/events.`
				: `Rate limit reached: ${quota} calls per minute without valid credentials from your address. Wait ${seconds} s, then send a valid API key.`,
			{ headers: { ...policy, ratelimit: `"${name}";r=0;t=${seconds}`, "retry-after": String(seconds) } },
		);
	}
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));
