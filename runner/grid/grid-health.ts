/** When a grid's answers end a recording because they tell nothing about its sessions: polls in, fault out. */
import type { GridNode, GridSession, GridSlot } from "./read-status.ts";

export interface HealthRules {
	unreachableMs: number;
	recogniseMs: number;
	/** Consecutive refusals (401, 403) that end the recording. */
	unauthorizedPolls: number;
	/** Consecutive answers with several nodes of the wanted name that end the recording. */
	sharedNodePolls: number;
}
export const HEALTH_RULES: HealthRules = {
	unreachableMs: 60_000,
	recogniseMs: 60_000,
	unauthorizedPolls: 3,
	sharedNodePolls: 3,
};

/** One poll. Times are ms of a monotonic clock. */
export interface Poll {
	askedAt: number;
	answeredAt: number;
	seen: /**
	 * `sessions` is null where the grid only counts them, `slots` is empty where it does not list them; `nodes` are those
	 * of the whole grid, where it lists them.
	 */
		| {
				kind: "count";
				active: number;
				sessions: GridSession[] | null;
				slots?: readonly GridSlot[];
				nodes?: readonly GridNode[];
		  }
		/** No connection, timeout or 5xx. */
		| { kind: "unreachable"; why: string }
		/** An answer that is not JSON; treated like no answer once the grid was recognized. */
		| { kind: "no_json"; why: string }
		/** JSON without session data; `node` if the grid does not have the node whose sessions count, or several of its name. */
		| { kind: "unknown"; why: string; node?: "absent" | "shared" }
		| { kind: "unauthorized"; status: number };
}

/**
 * Polls are sent every half second. If the next one is sent later than this, the runner stood still, as in a paused
 * container. Sessions may have come and gone in the meantime, and the grid's silence then says nothing about its
 * health.
 */
const STOOD_STILL_MS = 2_000;

/** Whether the grid was not watched for a while between two polls. */
export const isUnwatched = (before: Poll | undefined, poll: Poll): boolean =>
	before !== undefined && poll.askedAt - before.askedAt > STOOD_STILL_MS;

/** Why a recording has to end because of its grid. */
export interface GridFailure {
	reason: "grid_unreachable" | "grid_not_recognised" | "grid_unauthorized";
	polls: Poll[];
	why: string;
	/** If the grid was recognized, but not its node. */
	node?: "absent" | "shared";
}

/** The number of last polls that are kept for the job's events. */
const KEPT = 3;

export class GridHealth {
	readonly #rules: HealthRules;
	/**
	 * The time of the first poll, or of the first one after an unwatched period. A resumed recording may have begun long
	 * before.
	 */
	#watchedSince: number | null = null;
	#recognised = false;
	/** Whether anything ever answered: then the address is reachable, but may not be a grid. */
	#answered = false;
	#silentSince: Poll | null = null;
	#refusals: Poll[] = [];
	#shared: Poll[] = [];
	#last: Poll[] = [];

	constructor(rules: HealthRules) {
		this.#rules = rules;
	}

	get recognised(): boolean {
		return this.#recognised;
	}

	/** Processes the next poll, in the order of the requests. @returns the fault once there is one, otherwise null. */
	take(poll: Poll): GridFailure | null {
		if (isUnwatched(this.#last.at(-1), poll)) {
			this.#watchedSince = null;
			this.#silentSince = null;
		}
		this.#last = [...this.#last, poll].slice(-KEPT);
		const { seen } = poll;
		this.#watchedSince ??= poll.askedAt;
		if (seen.kind !== "unreachable") this.#answered = true;
		this.#refusals = seen.kind === "unauthorized" ? [...this.#refusals, poll] : [];
		this.#shared = seen.kind === "unknown" && seen.node === "shared" ? [...this.#shared, poll] : [];
		const silent = seen.kind === "unreachable" || seen.kind === "no_json";
		if (!silent) this.#silentSince = null;
		else this.#silentSince ??= poll;
		if (seen.kind !== "count") return this.#unauthorized() ?? this.#sharedNode() ?? this.#silent(poll);
		this.#recognised = true;
		return null;
	}

	#unauthorized(): GridFailure | null {
		if (this.#refusals.length < this.#rules.unauthorizedPolls) return null;
		const last = this.#refusals.at(-1)?.seen;
		const status = last?.kind === "unauthorized" ? last.status : 401;
		return { reason: "grid_unauthorized", polls: this.#refusals, why: `status ${status}` };
	}

	/** Unlike a node that is not there yet, this needs another name. */
	#sharedNode(): GridFailure | null {
		const last = this.#shared.at(-1)?.seen;
		if (last?.kind !== "unknown" || this.#shared.length < this.#rules.sharedNodePolls) return null;
		return { reason: "grid_not_recognised", polls: this.#shared, why: last.why, node: "shared" };
	}

	#silent(poll: Poll): GridFailure | null {
		const why = "why" in poll.seen ? poll.seen.why : "it rejects the credentials";
		const watchedMs = poll.answeredAt - (this.#watchedSince ?? poll.askedAt);
		if (!this.#recognised && this.#answered && watchedMs >= this.#rules.recogniseMs) {
			const node = poll.seen.kind === "unknown" ? poll.seen.node : undefined;
			return { reason: "grid_not_recognised", polls: this.#last, why, ...(node === undefined ? {} : { node }) };
		}
		const since = this.#silentSince;
		const mayBeRecognised = !this.#recognised && this.#answered;
		if (since !== null && !mayBeRecognised && poll.answeredAt - since.answeredAt >= this.#rules.unreachableMs) {
			return { reason: "grid_unreachable", polls: [since, ...this.#last.filter((entry) => entry !== since)], why };
		}
		return null;
	}
}
