/**
 * The process-wide context: database, event bus, authentication. `server.ts` opens it once. Next bundles its own copy
 * of this module, so the context is kept on globalThis, where both bundles find the same one.
 */
import type { Auth } from "#lib/auth/better-auth/auth.ts";
import type { CredentialCache } from "#lib/auth/credentials/credential-cache.ts";
import type { LastUses } from "#lib/auth/credentials/last-use.ts";
import { type Actor, type Database, turnTakerOf } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import type { Claims } from "#lib/db/claims.ts";
import type { Readers } from "#lib/db/open.ts";
import type { Mailer } from "#lib/mail/mailer.ts";
import type { DashboardNode } from "#lib/nodes/dashboard-node.ts";
import type { OpenEventBus } from "#lib/nodes/event-bus.ts";
import type { CallSigner } from "#lib/nodes/forward.ts";
import type { LinkSigner } from "#lib/recordings/playback/signed-link.ts";
import type { ReceiptSigner } from "#lib/recordings/receipts/receipt-signer.ts";
import type { RecordingContext } from "#lib/recordings/recording-context.ts";
import type { UploadReceiver } from "#lib/recordings/upload/upload-receiver.ts";
import type { DisplayPictures } from "#lib/runners/display-pictures.ts";
import type { RunnerDownloads } from "#lib/runners/install/runner-downloads.ts";
import type { LastSeen } from "#lib/runners/last-seen.ts";
import type { RunnerPresence } from "#lib/runners/presence.ts";
import type { AddressRule } from "#lib/webhooks/allowed-address.ts";
import type { WebhookDelivery } from "#lib/webhooks/deliver.ts";
import type { LiveEvents } from "./live-events.ts";
import type { Metrics } from "./metrics.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { DeclaredRoute } from "./route-definition.ts";

/** The context that the operations of all callers share, and the services that only the server uses. */
export type AppContext = Omit<RecordingContext, "actor" | "address"> & {
	/** The folder of the dashboard's own files: the repository's. */
	rootDir: string;
	/** The directory of process-wide files. */
	dataDir: string;
	/** Callers other than users who may read the metrics of the whole instance. */
	operator: { addresses: readonly string[]; token: string | null };
	/** Connections for long reads. Each caller's reads queue behind that caller's own (lib/db/fair-reads.ts). */
	readers: Readers;
	/** A connection for quick statements that cannot wait (lib/db/open.ts). */
	urgent: Database;
	events: OpenEventBus;
	auth: Auth;
	credentials: CredentialCache;
	lastUses: LastUses;
	/** For work that one process does on behalf of all processes with the same database. */
	claims: Claims;
	presence: RunnerPresence;
	lastSeen: LastSeen;
	pictures: DisplayPictures;
	/** After how many days offline a runner leaves the list; null for never. */
	runnerOfflineDays: number | null;
	/** The files that machines download to become runners. */
	runnerDownloads: RunnerDownloads;
	metrics: Metrics;
	/** Serves `GET /v1/events`. */
	liveEvents: LiveEvents;
	/** Receives resumable uploads. */
	uploads: UploadReceiver;
	/** Origins whose pages may show shared pages in a frame. */
	embedOrigins: readonly string[];
	/** Delivers to webhooks, and says to which addresses. */
	webhooks: { isAllowed: AddressRule; delivery: WebhookDelivery };
	/** Sends email; null when none is configured. */
	mailer: Mailer | null;
	/** The origin of the trace viewer; null without one. Set once it listens. */
	traceViewer: string | null;
	/** Signs URLs that open one recording or one attachment. */
	links: LinkSigner;
	/** Signs what the dashboard states about recordings. */
	receipts: ReceiptSigner;
	limits: RateLimits;
	/** Aborted when the server begins to stop, which ends long polls and streams. */
	stopping: AbortSignal;
	/** This dashboard among others; null with SQLite. */
	node: DashboardNode | null;
	/** Signs and verifies calls between dashboards. */
	callSigner: CallSigner;
	/** Removes this process from the list of those that share the database. */
	leave: () => Promise<void>;
	/** Every route of /v1, for the OpenAPI document. */
	routes: readonly DeclaredRoute[];
};

const slot = globalThis as typeof globalThis & { tapedeckApp?: AppContext };

export function setAppContext(app: AppContext): void {
	slot.tapedeckApp = app;
}

/** @throws unavailable until server.ts has opened the context. */
export function appContext(): AppContext {
	const app = slot.tapedeckApp;
	if (app === undefined) throw new TapedeckError("unavailable", "Tapedeck is starting. Try again in a moment.");
	return app;
}

/** The context that operations run with. @param address the caller's address; null for the server's own work. */
export function contextFor(app: AppContext, actor: Actor, address: string | null = null): RecordingContext {
	return { ...app, actor, address, reads: app.readers.of(turnTakerOf({ actor, address })) };
}
