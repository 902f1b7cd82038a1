/** `selenium_idle`: ends the recording when the grid has had no session for 5 s on end. */
import type { SeleniumIdleConfig } from "#lib/contract/stop-condition.ts";
import { normalizeGridUrl } from "#lib/contract/stop-condition.ts";
import type { AllowedGrids } from "../grid/allowed-grids.ts";
import { IDLE_RULES, IdleClock, type IdleDecision, type IdleRules, type Poll } from "../grid/idle-clock.ts";
import { GridPoller } from "../grid/poll.ts";
import { watchGrid } from "../grid/watch.ts";
import type { StopCondition, StopDecision, WatchedRecording } from "./stop-condition.ts";

export interface SeleniumIdleOptions {
	/** Brings the grid's password; a runner that was started again has to ask for it. */
	password: () => Promise<string | undefined>;
	/** A session was seen before the recording began: it is what began it. */
	sessionSeen?: boolean;
	/** The grids that the runner may ask. */
	allowed: AllowedGrids;
	rules?: IdleRules;
}

export function seleniumIdleCondition(config: SeleniumIdleConfig, options: SeleniumIdleOptions): StopCondition {
	return {
		captureSeconds: null,
		async watch(recording) {
			const password = await Promise.race([options.password(), aborted(recording.over)]);
			if (recording.over.aborted) return;
			const { gridUsername: username } = config;
			const address = { url: normalizeGridUrl(config.gridUrl), username, password: password ?? undefined };
			const poller = new GridPoller(address, options.allowed);
			const clock = new IdleClock(
				{
					at: recording.startedAt,
					firstSessionTimeoutMs: (config.firstSessionTimeoutSeconds ?? 0) * 1_000,
					sessionSeen: options.sessionSeen ?? false,
				},
				options.rules ?? IDLE_RULES,
			);
			const teller = new GridTeller(recording, poller);
			const enough = new AbortController();
			await watchGrid(
				poller,
				(poll) => {
					if (enough.signal.aborted) return;
					teller.tell(poll);
					const decision = clock.take(poll);
					if (decision === null) return;
					enough.abort();
					recording.stop(stopOf(decision, config.gridUrl));
				},
				AbortSignal.any([recording.over, enough.signal]),
			);
			poller.close();
		},
	};
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
	new Promise((resolve) => {
		if (signal.aborted) resolve(undefined);
		else signal.addEventListener("abort", () => resolve(undefined), { once: true });
	});

/** A poll as it stands in the job's events. */
function told(poll: Poll): Record<string, unknown> {
	const at = new Date(performance.timeOrigin + poll.answeredAt).toISOString();
	const { kind, ...rest } = poll.seen;
	return { at, tookMs: Math.round(poll.answeredAt - poll.askedAt), seen: kind, ...rest };
}

function stopOf(decision: IdleDecision, gridUrl: string): StopDecision {
	const data = { polls: decision.polls.map(told) };
	switch (decision.reason) {
		case "selenium_idle":
			return { reason: decision.reason, data: { ...data, zeros: decision.zeros } };
		case "grid_unreachable":
			return {
				reason: decision.reason,
				message: `The grid at ${gridUrl} could not be reached for 60 s (${decision.why}); check that it runs and that the runner can reach it.`,
				data,
			};
		case "grid_not_recognised":
			return {
				reason: decision.reason,
				message: `What answers at ${gridUrl} tells no sessions (${decision.why}); set gridUrl to the base URL of a Selenium Grid 3 or 4 or a Selenoid.`,
				data,
			};
		case "grid_unauthorized":
			return {
				reason: decision.reason,
				message: `The grid at ${gridUrl} refuses the credentials (${decision.why}); set gridUsername and gridPassword to ones that it accepts.`,
				data,
			};
	}
}

/** Tells the grid's turns in the job's history, once each. */
class GridTeller {
	readonly #recording: WatchedRecording;
	readonly #poller: GridPoller;
	#recognised = false;
	#unauthorized = false;
	#silent: Poll | null = null;
	#silentTold = false;

	constructor(recording: WatchedRecording, poller: GridPoller) {
		this.#recording = recording;
		this.#poller = poller;
	}

	tell(poll: Poll): void {
		const { seen } = poll;
		if (seen.kind === "count") this.#count(seen.active);
		if (seen.kind === "unauthorized" && !this.#unauthorized) {
			this.#recording.note("grid_unauthorized", `The grid answers ${seen.status}: it refuses the credentials.`, {
				polls: [told(poll)],
			});
		}
		this.#unauthorized = seen.kind === "unauthorized";
		if (seen.kind === "unreachable" || seen.kind === "no_json") this.#silence(poll, seen.why);
		else this.#heard(poll);
	}

	#heard(poll: Poll): void {
		if (this.#silentTold) this.#recording.note("grid_reachable", "The grid answers again.", { polls: [told(poll)] });
		this.#silent = null;
		this.#silentTold = false;
	}

	#count(active: number): void {
		const found = this.#poller.recognised;
		if (this.#recognised || found === null) return;
		this.#recognised = true;
		this.#recording.note("grid_recognised", `The grid is a ${found.grid}; it tells its sessions at ${found.path}.`, {
			...found,
			active,
		});
	}

	/** A hiccup is no news; 3 s without a word are. */
	#silence(poll: Poll, why: string): void {
		this.#silent ??= poll;
		if (this.#silentTold || poll.answeredAt - this.#silent.answeredAt < 3_000) return;
		this.#silentTold = true;
		this.#recording.note("grid_silent", `The grid has not answered for 3 s: ${why}.`, { polls: [told(poll)] });
	}
}
