/**
 * How many calls are taken: of a key or person each minute, of an address that shows no valid credentials, and how
 * many streams one caller holds open. Runners are not counted: what they say is a recording that would be lost.
 */
import { isIPv6 } from "node:net";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { clientAddress } from "../auth/sign-in/peer.ts";
import type { Actor } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";

const WINDOW_SECONDS = 60;

export type CallLimitSettings = {
	/** Calls a minute of one API key or person; 0: any number. */
	callsPerMinute: number;
	/** Calls a minute from one address without valid credentials; 0: any number. */
	strangerCallsPerMinute: number;
	/** Streams that one API key or person holds open; 0: any number. */
	openStreams: number;
};

type Window = { name: "caller" | "address"; quota: number; counter: RateLimiterMemory };

export class CallLimits {
	readonly #callers: Window | null;
	readonly #strangers: Window | null;
	readonly #openStreams: number;
	readonly #open = new Map<string, number>();

	constructor(settings: CallLimitSettings) {
		this.#callers = windowOf("caller", settings.callsPerMinute);
		this.#strangers = windowOf("address", settings.strangerCallsPerMinute);
		this.#openStreams = settings.openStreams;
	}

	/**
	 * Counts one call.
	 * @param actor null: no valid credentials; the address that `headers` carry is counted.
	 * @returns the headers that tell how much is left (the `RateLimit` fields of the IETF's draft).
	 * @throws too_many_requests
	 */
	async count(actor: Actor | null, headers: Headers): Promise<Record<string, string>> {
		if (actor === null) return take(this.#strangers, networkOf(clientAddress(headers)));
		const caller = callerOf(actor);
		return caller === null ? {} : take(this.#callers, caller);
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
			throw new TapedeckError(
				"too_many_requests",
				`You hold ${open} streams open, and more are not taken. Close those that nobody follows.`,
				{ headers: { "retry-after": "5" } },
			);
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

/** Who holds one IPv6 address holds its /64. */
function networkOf(address: string | null): string {
	if (address === null || !isIPv6(address)) return address ?? "unknown";
	const [head = "", tail] = address.split("::");
	const first = head.split(":");
	const zeros = tail === undefined ? 0 : 8 - first.length - tail.split(":").length;
	return [...first, ...Array.from({ length: Math.max(0, zeros) }, () => "0")].slice(0, 4).join(":");
}

async function take(window: Window | null, who: string): Promise<Record<string, string>> {
	if (window === null) return {};
	const { name, quota, counter } = window;
	const policy = { "ratelimit-policy": `"${name}";q=${quota};w=${WINDOW_SECONDS}` };
	try {
		const left = await counter.consume(who);
		return { ...policy, ratelimit: `"${name}";r=${left.remainingPoints};t=${secondsOf(left)}` };
	} catch (refused) {
		const seconds = secondsOf(refused as RateLimiterRes);
		throw new TapedeckError(
			"too_many_requests",
			name === "caller"
				? `You made more than ${quota} calls in a minute. Wait ${seconds} s; waitFor on GET /v1/jobs/{id} and GET /v1/events tell what happens without asking again and again.`
				: `More than ${quota} calls without valid credentials came from your address in a minute. Wait ${seconds} s, then send a valid API key.`,
			{ headers: { ...policy, ratelimit: `"${name}";r=0;t=${seconds}`, "retry-after": String(seconds) } },
		);
	}
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));
