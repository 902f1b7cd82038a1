/**
 * The process's own things: database, facts, sign-in. `server.ts` opens them once; Next bundles its own copy
 * of this module, so that they are kept on globalThis, where both doors find the same.
 */
import type { Auth } from "../auth/auth.ts";
import type { Actor, Clock, Context, Database, FactBus, Log, Quotas, SecretBox } from "../core/context.ts";
import { TapedeckError } from "../core/errors.ts";
import type { DialectName } from "../db/dialect.ts";
import type { LinkSigner } from "../recordings/playback/signed-link.ts";
import type { DisplayPictures } from "../runners/display-pictures.ts";
import type { RunnerPresence } from "../runners/presence.ts";
import type { CallLimits } from "./call-limits.ts";
import type { Env } from "./env.ts";
import type { Metrics } from "./metrics.ts";
import type { DeclaredRoute } from "./route-definition.ts";

export type AppContext = {
	env: Env;
	db: Database;
	dialect: DialectName;
	clock: Clock;
	facts: FactBus;
	log: Log;
	secrets: SecretBox;
	/** Absolute folder of the stored videos. */
	videosDir: string;
	diskReserveBytes: number;
	quotas: Quotas;
	/** Without a trailing slash. */
	baseUrl: string;
	auth: Auth;
	presence: RunnerPresence;
	pictures: DisplayPictures;
	metrics: Metrics;
	/** Signs links that play one recording. */
	links: LinkSigner;
	limits: CallLimits;
	/** Aborted when the server begins to stop: long polls and streams end. */
	stopping: AbortSignal;
	/** Every route of /v1, for the contract document. */
	routes: readonly DeclaredRoute[];
};

const slot = globalThis as typeof globalThis & { tapedeckApp?: AppContext };

export function setAppContext(app: AppContext): void {
	slot.tapedeckApp = app;
}

/** @throws unavailable before server.ts has opened the process's things. */
export function appContext(): AppContext {
	const app = slot.tapedeckApp;
	if (app === undefined) throw new TapedeckError("unavailable", "Tapedeck is starting. Try again in a moment.");
	return app;
}

/** What verbs get, for one who acts. @param address where the call came from; none for what the server does itself. */
export function contextFor(app: AppContext, actor: Actor, address: string | null = null): Context {
	return {
		actor,
		address,
		db: app.db,
		clock: app.clock,
		facts: app.facts,
		log: app.log,
		secrets: app.secrets,
		videosDir: app.videosDir,
		diskReserveBytes: app.diskReserveBytes,
		quotas: app.quotas,
		baseUrl: app.baseUrl,
	};
}
