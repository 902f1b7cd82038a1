/**
 * Being connected: signs in, signs in again when the session is gone, and tells apart what passes
 * (unreachable, busy) from what cannot be mended by waiting.
 */
import type { SignInAnswer } from "#lib/contract/runner-protocol.ts";
import { VERSION } from "#lib/contract/version.ts";
import type { ConnectionState } from "./control/messages.ts";
import { CallFailedError, type DashboardClient } from "./dashboard/client.ts";
import { DashboardClock } from "./dashboard/clock.ts";
import { belonging, type DashboardIdentity, type Origin } from "./spool/dashboard-identity.ts";
import type { Displays } from "./displays/displays.ts";
import { FatalError, type RunnerLog } from "./log.ts";
import { Backoff, pause } from "./base/wait.ts";

/** A predecessor that vanished without a word is given up by the dashboard after one long poll (8 s) and a moment (3 s). */
const NAME_TAKEN_PATIENCE_MS = 12_000;
const REMIND_MS = 60_000;
const SUPERSEDED_WITHIN_MS = 60_000;
const SUPERSEDED_TIMES = 3;

export class Connection {
	readonly client: DashboardClient;
	readonly clock = new DashboardClock();
	readonly #identity: { name: string; instanceId: string };
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
	#problem: string | null = null;
	#dashboard: DashboardIdentity | null = null;
	/** Called at every sign-in, before anybody uses the session. */
	onSignedIn: (dashboard: DashboardIdentity) => void = () => undefined;

	constructor(
		client: DashboardClient,
		identity: { name: string; instanceId: string },
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

	/** How it stands, for the commands on this machine. */
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

	/** Which versions speak with each other here, as a sentence of a message. */
	get versions(): string {
		const told = this.#dashboardVersion;
		return `The runner has version ${VERSION}, the dashboard ${told ?? "does not tell its own"}`;
	}

	/** The dashboard of the last sign-in; null before the first. */
	get dashboard(): DashboardIdentity | null {
		return this.#dashboard;
	}

	/** What a recording that begins now has to know of its dashboard. */
	get origin(): DashboardIdentity {
		return this.#dashboard ?? { id: null, url: this.client.url, organizationId: null };
	}

	/** Whether a recording is this dashboard's without a doubt: only then it may be sent. */
	owns(origin: Origin): boolean {
		return this.#dashboard !== null && belonging(origin, this.#dashboard) === "own";
	}

	/** The session to use; signs in when there is none. @throws FatalError. */
	async session(): Promise<string> {
		while (this.client.sessionId === null && !this.#closed.aborted) {
			this.#signingIn ??= this.#signIn().finally(() => {
				this.#signingIn = null;
			});
			await this.#signingIn;
		}
		return this.client.sessionId ?? "closed";
	}

	/**
	 * Judges a failed call that used `session`: says so once, and makes the next `session()` sign in again where
	 * that helps. @throws FatalError when waiting cannot mend it.
	 */
	judge(error: unknown, session: string): void {
		if (this.#closed.aborted) return;
		if (!(error instanceof CallFailedError)) throw error;
		if (this.client.sessionId !== session) return; // A late answer to a session that was replaced since.
		if (error.code === "runner_removed") throw new FatalError(this.removed());
		if (error.code === "session_superseded") this.#superseded();
		if (error.passing) this.#unreachable(error);
		else if ([401, 403, 404, 409, 410].includes(error.status)) this.client.sessionId = null;
		else this.#log.warn(`The dashboard refused a call: ${error.message}`);
	}

	/**
	 * The session is gone: the dashboard was set up anew, or another process signed in with this one's data
	 * directory. Signing in again tells which; two that take it from each other must not go on for ever.
	 */
	#superseded(): void {
		const now = performance.now();
		this.#supersededAt = [...this.#supersededAt.filter((at) => now - at < SUPERSEDED_WITHIN_MS), now];
		if (this.#supersededAt.length >= SUPERSEDED_TIMES) {
			throw new FatalError(
				`Another process keeps signing in as runner "${this.#identity.name}", so this one ends; give each its own name and data directory with TAPEDECK_RUNNER_NAME and TAPEDECK_DATA_DIR.`,
			);
		}
		this.client.sessionId = null;
	}

	/** A call went through. */
	reached(): void {
		if (this.#lost) this.#log.info("The dashboard is reachable again.");
		this.#lost = false;
		this.#problem = null;
		this.#remindAt = 0;
	}

	#unreachable(error: CallFailedError): void {
		this.#lost = true;
		const what = error.status === 0 ? `does not answer (${error.message})` : `answers ${error.status}`;
		this.#problem = `The dashboard at ${this.client.url} ${what}; check that it runs and that TAPEDECK_URL is right.`;
		const now = performance.now();
		if (now < this.#remindAt) return;
		this.#remindAt = now + REMIND_MS;
		this.#log.warn(`${this.#problem} Trying on.`);
	}

	async #signIn(): Promise<void> {
		const backoff = new Backoff();
		const since = performance.now();
		let toldTaken = false;
		while (!this.#closed.aborted) {
			try {
				const displays = this.#displays.list().map(({ id, width, height }) => ({ id, width, height }));
				const calledAt = performance.now();
				const answer = await this.client.signIn({ ...this.#identity, version: VERSION, displays });
				this.clock.read(answer.serverTime, calledAt);
				this.reached();
				this.#greet(answer);
				return;
			} catch (error) {
				if (!(error instanceof CallFailedError)) throw error;
				if (error.code === "runner_name_taken") {
					if (performance.now() - since > NAME_TAKEN_PATIENCE_MS) throw new FatalError(this.#nameTaken());
					this.#problem = this.#nameTaken();
					if (!toldTaken) this.#log.warn(`${this.#nameTaken()} Waiting whether the other one is gone.`);
					toldTaken = true;
				} else if (error.passing) this.#unreachable(error);
				else this.#refuse(error);
				await pause(backoff.nextMs(), this.#closed);
			}
		}
	}

	/** What there is to say when somebody has removed this runner in the dashboard. */
	removed(): string {
		return `The runner "${this.#identity.name}" was removed from the dashboard, so it ends; start it again to have it come back as a new runner.`;
	}

	#nameTaken(): string {
		return `Another runner is connected under the name "${this.#identity.name}"; stop it, or give this one another name with TAPEDECK_RUNNER_NAME.`;
	}

	#greet(answer: SignInAnswer): void {
		this.#runnerId = answer.runnerId;
		this.#dashboardVersion = answer.version ?? null;
		const { dashboardId: id = null, organizationId } = answer;
		this.#dashboard = { id, url: this.client.url, organizationId };
		this.onSignedIn(this.#dashboard);
		if (!this.#everSignedIn) {
			this.#log.info(`Connected to ${this.client.url} as runner ${answer.runnerId}, "${this.#identity.name}".`);
			const skew = Math.abs(this.clock.shiftMs ?? 0);
			if (skew > 60_000) {
				this.#log.warn(
					`This machine's clock and the dashboard's differ by ${Math.round(skew / 1_000)} s; set both by NTP so that the times shown are right.`,
				);
			}
		} else this.#log.info("Signed in to the dashboard again.");
		this.#everSignedIn = true;
	}

	#refuse(error: CallFailedError): void {
		if (error.status === 401 || error.status === 403) {
			const kept = this.#everSignedIn ? "; what was recorded and not yet delivered waits in its data directory" : "";
			throw new FatalError(
				`The dashboard at ${this.client.url} refused the runner token; make a new one under Runners, Add runner, and set TAPEDECK_TOKEN to it${kept}.`,
			);
		}
		const isProblem = error.code !== null && error.status !== 404;
		if (isProblem) throw new FatalError(`The dashboard refused this runner: ${error.message}`);
		// A proxy in front of a dashboard that was there a moment ago says such things while it restarts.
		if (!this.#everSignedIn)
			throw new FatalError(
				`Something else than Tapedeck answers at ${this.client.url} (status ${error.status}); set TAPEDECK_URL to the dashboard's base URL.`,
			);
		this.#unreachable(error);
	}
}
