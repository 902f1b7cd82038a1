/** `selenium_idle`: ends the recording when the grid has had no session for 5 consecutive seconds. */
import { normalizeGridUrl, type StopConditionConfig } from "#lib/contract/stop-condition.ts";
import type { Fault } from "../base/fault.ts";
import type { AllowedGrids } from "../grid/allowed-grids.ts";
import { IDLE_RULES, IdleClock, type IdleDecision, type IdleRules, type Poll } from "../grid/idle-clock.ts";
import { GridPoller, watchGrid } from "../grid/poll.ts";
import { type StopDecision, stopFor } from "../spool/spool.ts";
import type { StopCondition, WatchedRecording } from "./stop-condition.ts";

export interface SeleniumIdleOptions {
	/** Resolves to the grid's password, which a restarted runner has to request from the dashboard. */
	password: () => Promise<string | undefined>;
	/** Whether a session triggered the recording. */
	sessionSeen?: boolean;
	/** The grids that the runner may poll. */
	allowed: AllowedGrids;
	rules?: IdleRules;
}

export function seleniumIdleCondition(
	config: StopConditionConfig<"selenium_idle">,
	options: SeleniumIdleOptions,
): StopCondition {
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
			const reporter = new GridReporter(recording, poller);
			const decided = new AbortController();
			await watchGrid(
				poller,
				(poll) => {
					if (decided.signal.aborted) return;
					reporter.report(poll);
					const decision = clock.take(poll);
					if (decision === null) return;
					decided.abort();
					recording.stop(stopOf(decision, config.gridUrl));
				},
				AbortSignal.any([recording.over, decided.signal]),
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

/** A poll as recorded in the job's events. */
function eventData(poll: Poll): Record<string, unknown> {
	const at = new Date(performance.timeOrigin + poll.answeredAt).toISOString();
	const { kind, ...rest } = poll.seen;
	return { at, tookMs: Math.round(poll.answeredAt - poll.askedAt), seen: kind, ...rest };
}

function stopOf(decision: IdleDecision, gridUrl: string): StopDecision {
	const polls = decision.polls.map(eventData);
	if (decision.reason === "selenium_idle") return { reason: decision.reason, data: { polls, zeros: decision.zeros } };
	return { ...stopFor(gridFault(decision, gridUrl)), data: { polls } };
}

type GridFailure = Exclude<IdleDecision, { reason: "selenium_idle" }>;

function gridFault({ reason: code, why }: GridFailure, gridUrl: string): Fault<GridFailure["reason"]> {
	switch (code) {
		case "grid_unreachable":
			return {
				code,
				what: `The grid at ${gridUrl} could not be reached for 60 s (${why})`,
				remedy: "check that it is running and that the runner can reach it",
			};
		case "grid_not_recognised":
			return {
				code,
				what: `The server at ${gridUrl} does not report its sessions as a grid does (${why})`,
				remedy: "set gridUrl to the base URL of a Selenium Grid 3, a Selenium Grid 4 or Selenoid",
			};
		case "grid_unauthorized":
			return {
				code,
				what: `The grid at ${gridUrl} rejects the credentials (${why})`,
				remedy: "set gridUsername and gridPassword to valid ones",
			};
	}
}

/** Notes changes of the grid's state in the job's history, once each. */
class GridReporter {
	readonly #recording: WatchedRecording;
	readonly #poller: GridPoller;
	#recognised = false;
	#unauthorized = false;
	#silent: Poll | null = null;
	#silenceReported = false;

	constructor(recording: WatchedRecording, poller: GridPoller) {
		this.#recording = recording;
		this.#poller = poller;
	}

	report(poll: Poll): void {
		const { seen } = poll;
		if (seen.kind === "count") this.#count(seen.active);
		if (seen.kind === "unauthorized" && !this.#unauthorized) {
			this.#recording.note("grid_unauthorized", `The grid rejects the credentials (status ${seen.status}).`, {
				polls: [eventData(poll)],
			});
		}
		this.#unauthorized = seen.kind === "unauthorized";
		if (seen.kind === "unreachable" || seen.kind === "no_json") this.#silence(poll, seen.why);
		else this.#answered(poll);
	}

	#answered(poll: Poll): void {
		if (this.#silenceReported)
			this.#recording.note("grid_reachable", "The grid responds again.", { polls: [eventData(poll)] });
		this.#silent = null;
		this.#silenceReported = false;
	}

	#count(active: number): void {
		const found = this.#poller.recognised;
		if (this.#recognised || found === null) return;
		this.#recognised = true;
		this.#recording.note("grid_recognised", `Detected ${found.grid}. Sessions are read from ${found.path}.`, {
			...found,
			active,
		});
	}

	/** Notes a grid that has not responded for 3 s; shorter gaps are not worth a note. */
	#silence(poll: Poll, why: string): void {
		this.#silent ??= poll;
		if (this.#silenceReported || poll.answeredAt - this.#silent.answeredAt < 3_000) return;
		this.#silenceReported = true;
		this.#recording.note("grid_silent", `The grid has not responded for 3 s: ${why}.`, { polls: [eventData(poll)] });
	}
}
