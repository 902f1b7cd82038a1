/**
 * The connection to the dashboard: signs in, signs in again when the session is lost, and separates transient failures
 * (unreachable, busy) from permanent ones.
 */

import { DashboardClock } from "@tapedeck/client-source/dashboard-clock.ts";
import type { SignInAnswer, SignInBody } from "@tapedeck/contract/runner-protocol.ts";
import type { SeenSession } from "@tapedeck/contract/session.ts";
import { compareReleases } from "@tapedeck/contract/version.ts";
import type { VideoOptions } from "@tapedeck/contract/video-options.ts";
import { FatalError, type Fault, messageOf } from "../base/fault.ts";
import { OWN_VERSION } from "../base/installation.ts";
import type { RunnerLog } from "../base/log.ts";
import { Backoff, pause } from "../base/wait.ts";
import type { Displays } from "../displays/displays.ts";
import { type DashboardIdentity, isFor } from "../spool/dashboard-identity.ts";
import { CallFailedError, type DashboardClient } from "./client.ts";

/** A runner that vanished without signing out blocks its name for one long poll (8 s) and 3 s. */
const NAME_TAKEN_TIMEOUT_MS = 12_000;
const REMIND_MS = 60_000;
const SUPERSEDED_WITHIN_MS = 60_000;
const SUPERSEDED_TIMES = 3;

/** The state of the connection, for the commands on this machine. */
export interface ConnectionState {
	url: string;
	/** Whether the last call succeeded. */
	connected: boolean;
	runnerId: number | null;
	/** The dashboard whose recordings the runner delivers; null before the first sign-in. */
	identity: DashboardIdentity | null;
	/** Why it is not connected; null when connected or unknown. */
	problem: Fault | null;
	/** The difference by which this machine's clock is ahead of the dashboard's, in ms; null when unknown. */
	clockAheadMs: number | null;
}

/** The properties that the runner reports at sign-in. */
type RunnerIdentity = { name: string; instanceId: string } & Pick<
	SignInBody,
	"labels" | "keep" | "maxDurationSeconds" | "bufferSeconds" | "virtualDisplays" | "ephemeral"
>;

export class Connection {
	readonly client: DashboardClient;
	readonly clock = new DashboardClock();
	readonly #identity: RunnerIdentity;
	readonly #displays: Displays;
	readonly #log: RunnerLog;
	readonly #closed: AbortSignal;
	#signingIn: Promise<void> | null = null;
	#everSignedIn = false;
	#remindAt = 0;
	#lost = false;
	#supersededAt: number[] = [];
	#runnerId: number | null = null;
	#dashboardVersion: string | null = null;
	#problem: Fault | null = null;
	#dashboard: DashboardIdentity | null = null;
	readonly #attempted = Promise.withResolvers<void>();
	/** The organization's video options, from the last answer that had them. */
	organizationVideo: VideoOptions = {};
	/** Called at every sign-in, before the session is used. */
	onSignedIn: (dashboard: DashboardIdentity) => void = () => undefined;

	constructor(
		client: DashboardClient,
		identity: RunnerIdentity,
		displays: Displays,
		log: RunnerLog,
		closed: AbortSignal,
	) {
		this.client = client;
		this.#identity = identity;
		this.#displays = displays;
		this.#log = log;
		this.#closed = closed;
	}

	get state(): ConnectionState {
		return {
			url: this.client.url,
			connected: this.client.sessionId !== null && !this.#lost,
			runnerId: this.#runnerId,
			identity: this.#dashboard,
			problem: this.#problem,
			clockAheadMs: this.clock.shiftMs === undefined ? null : 0 - this.clock.shiftMs,
		};
	}

	/** A sentence that names both versions, without its full stop. */
	get versions(): string {
		return `The runner has version ${OWN_VERSION}, the dashboard ${this.#dashboardVersion}`;
	}

	/** Resolves when the first attempt to sign in has succeeded or failed. */
	get attempted(): Promise<void> {
		return this.#attempted.promise;
	}

	/** The dashboard of the last sign-in; null before the first. */
	get dashboard(): DashboardIdentity | null {
		return this.#dashboard;
	}

	/** The dashboard that new recordings belong to, as far as it is known. */
	get origin(): DashboardIdentity {
		return this.#dashboard ?? { id: null, url: this.client.url, organizationId: null };
	}

	/** Whether a recording that was made for this dashboard may be sent: the runner is signed in to it. */
	owns(recordings: DashboardIdentity): boolean {
		return this.#dashboard !== null && isFor(this.#dashboard, recordings);
	}

	/** The current session; signs in when there is none. @throws FatalError. */
	async session(): Promise<string> {
		while (this.client.sessionId === null && !this.#closed.aborted) {
			this.#signingIn ??= this.#signIn().finally(() => {
				this.#signingIn = null;
			});
			await this.#signingIn;
		}
		return this.client.sessionId ?? "closed";
	}

	/** Reports which sessions a grid had. @throws when the dashboard does not take them. */
	async reportSessions(sessions: readonly SeenSession[]): Promise<void> {
		const sessionId = await this.session();
		const sentAt = new Date().toISOString();
		const clockShiftMs = this.clock.shiftMs;
		try {
			await this.client.reports({ sessionId, sentAt, clockShiftMs, jobs: [], sessions: [...sessions] });
		} catch (error) {
			this.handleCallError(error, sessionId);
			throw error;
		}
	}

	/**
	 * Handles the error of a call that used `session`: logs it once, and makes the next `session()` sign in again where
	 * that helps. @throws FatalError when retrying cannot help.
	 */
	handleCallError(error: unknown, session: string): void {
		if (this.#closed.aborted) return;
		if (!(error instanceof CallFailedError)) throw error;
		if (this.client.sessionId !== session) return; // A late answer for a session that has been replaced.
		if (error.code === "runner_removed") throw this.removed();
		if (error.code === "session_superseded") this.#superseded();
		if (error.isTransient) this.#unreachable(error);
		else if ([401, 403, 404, 409, 410].includes(error.status)) this.client.sessionId = null;
		else this.#log.warn(`The dashboard refused a call: ${error.message}`);
	}

	/**
	 * The session was replaced: the dashboard was reinstalled, or another process signed in with a copy of this data
	 * directory. Signing in again resolves the first; two processes must not take the session from each other forever.
	 */
	#superseded(): void {
		const now = performance.now();
		this.#supersededAt = [...this.#supersededAt.filter((at) => now - at < SUPERSEDED_WITHIN_MS), now];
		if (this.#supersededAt.length >= SUPERSEDED_TIMES) {
			throw new FatalError({
				code: "session_superseded",
				what: `Another process keeps signing in as runner "${this.#identity.name}", so this one stops`,
				remedy: "give each its own name and data directory with TAPEDECK_RUNNER_NAME and TAPEDECK_DATA_DIR",
			});
		}
		this.client.sessionId = null;
	}

	/** Call after every successful call to the dashboard. */
	reached(): void {
		if (this.#lost) this.#log.info("The dashboard is reachable again.");
		this.#lost = false;
		this.#problem = null;
		this.#remindAt = 0;
	}

	#unreachable(error: CallFailedError): void {
		this.#lost = true;
		const what = error.status === 0 ? `does not respond (${error.message})` : `responds with ${error.status}`;
		this.#problem = {
			code: "dashboard_unreachable",
			what: `The dashboard at ${this.client.url} ${what}`,
			remedy: "check that it is running and that TAPEDECK_URL is correct",
		};
		const now = performance.now();
		if (now < this.#remindAt) return;
		this.#remindAt = now + REMIND_MS;
		this.#log.warn(`${messageOf(this.#problem)} Retrying.`);
	}

	async #signIn(): Promise<void> {
		const backoff = new Backoff();
		const since = performance.now();
		let reportedTaken = false;
		while (!this.#closed.aborted) {
			try {
				const displays = this.#displays.list().map(({ id, width, height }) => ({ id, width, height }));
				const calledAt = performance.now();
				const answer = await this.client.signIn({ ...this.#identity, version: OWN_VERSION, displays });
				this.clock.read(answer.serverTime, calledAt);
				this.reached();
				this.#signedIn(answer);
				return;
			} catch (error) {
				this.#attempted.resolve();
				if (!(error instanceof CallFailedError)) throw error;
				if (error.code === "runner_name_taken") {
					this.#problem = this.#nameTaken();
					if (performance.now() - since > NAME_TAKEN_TIMEOUT_MS) throw new FatalError(this.#problem);
					if (!reportedTaken) this.#log.warn(`${messageOf(this.#problem)} Waiting for it to disconnect.`);
					reportedTaken = true;
				} else if (error.isTransient) this.#unreachable(error);
				else this.#refuse(error);
				await pause(backoff.nextMs(), this.#closed);
			}
		}
	}

	/** The error that ends a runner removed in the dashboard. */
	removed(): FatalError {
		return new FatalError({
			code: "runner_removed",
			what: `The runner "${this.#identity.name}" was removed from the dashboard, so it stops`,
			remedy: "start it again to add it as a new runner",
		});
	}

	#nameTaken(): Fault {
		return {
			code: "runner_name_taken",
			what: `Another runner is connected under the name "${this.#identity.name}"`,
			remedy: "stop it, or give this one another name with TAPEDECK_RUNNER_NAME",
		};
	}

	#signedIn(answer: SignInAnswer): void {
		this.#runnerId = answer.runnerId;
		this.organizationVideo = answer.video ?? {};
		this.#attempted.resolve();
		this.#noteVersion(answer.version);
		const { dashboardId: id, organizationId } = answer;
		this.#dashboard = { id, url: this.client.url, organizationId };
		this.onSignedIn(this.#dashboard);
		if (!this.#everSignedIn) {
			this.#log.info(`Connected to ${this.client.url} as runner ${answer.runnerId}, "${this.#identity.name}".`);
			const skew = Math.abs(this.clock.shiftMs ?? 0);
			if (skew > 60_000) {
				this.#log.warn(
					`The clocks of this machine and of the dashboard differ by ${Math.round(skew / 1_000)} s; synchronize both with NTP.`,
				);
			}
		} else this.#log.info("Signed in to the dashboard again.");
		this.#everSignedIn = true;
	}

	/** Warns of a dashboard that is older than this runner, once for each of its versions. */
	#noteVersion(version: string): void {
		const known = this.#dashboardVersion;
		this.#dashboardVersion = version;
		if (version === known || (compareReleases(OWN_VERSION, version) ?? 0) <= 0) return;
		this.#log.warn(
			`The runner (version ${OWN_VERSION}) is newer than the dashboard (${version}), which may not understand all that it reports. Update the dashboard, or install the dashboard's own runner with \`tapedeck upgrade\`.`,
		);
	}

	#refuse(error: CallFailedError): void {
		if (error.status === 401 || error.status === 403) {
			const kept = this.#everSignedIn ? ". Recordings that are not uploaded yet are kept in its data directory" : "";
			throw new FatalError({
				code: "token_refused",
				what: `The dashboard at ${this.client.url} refused the runner token${kept}`,
				remedy: "create a new one under Runners, Add runner, and set TAPEDECK_TOKEN to it",
			});
		}
		if (error.code === "token_limit") {
			throw new FatalError({
				code: "token_limit",
				what: error.message.replace(/\.$/, ""),
				remedy: "then start the runner again",
			});
		}
		const isProblem = error.code !== null && error.status !== 404;
		if (isProblem) {
			throw new FatalError({
				code: error.code ?? "refused",
				what: `The dashboard refused this runner: ${error.message.replace(/\.$/, "")}`,
				remedy: "fix that, then start the runner again",
			});
		}
		// Proxies respond like this while the dashboard behind them restarts, so it is fatal only before the first sign-in.
		if (!this.#everSignedIn) {
			throw new FatalError({
				code: "not_tapedeck",
				what: `The server at ${this.client.url} is not Tapedeck (status ${error.status})`,
				remedy: "set TAPEDECK_URL to the dashboard's base URL",
			});
		}
		this.#unreachable(error);
	}
}
