/** The context of every operation: actor, database or transaction, clock, and event bus. */

import type { Capability, Role, Scope } from "@tapedeck/contract/permissions.ts";
import type { RetentionPolicy } from "@tapedeck/contract/retention.ts";
import type { Storage } from "@tapedeck/contract/storage.ts";
import type { Kysely, Selectable } from "kysely";
import type { DialectName } from "#lib/db/dialect.ts";
import type { TurnTaker } from "#lib/db/fair-turns.ts";
import type { JobTable, RecordingTable, Tables } from "#lib/db/schema.ts";
import { networkOf } from "./network-of.ts";

export type Database = Kysely<Tables>;

/** The caller of an operation. Every operation has an actor. */
export type Actor =
	| { kind: "user"; organizationId: number; userId: number; name: string; role: Role }
	| {
			kind: "apiKey";
			organizationId: number;
			apiKeyId: number;
			name: string;
			scopes: readonly Scope[];
			/** The kinds of files that it may make, within its scopes; if omitted, all of them. */
			capabilities?: readonly Capability[];
			/** The creator's current role; null for a key created from the operator's environment. */
			creatorRole: Role | null;
	  }
	| { kind: "runner"; organizationId: number; runnerTokenId: number; name: string }
	/** The holder of a link that opens this one recording; null for a link that opens one attachment. */
	| { kind: "link"; organizationId: number; recordingId: number | null }
	/** The server itself: sweeps, retention. It acts for one organization at a time. */
	| { kind: "system"; organizationId: number };

/** The actor in the form stored with jobs and events. */
export function creatorOf({ actor }: Pick<Context, "actor">): {
	kind: "user" | "apiKey" | "runner";
	id: number;
	name: string;
} | null {
	switch (actor.kind) {
		case "user":
			return { kind: "user", id: actor.userId, name: actor.name };
		case "apiKey":
			return { kind: "apiKey", id: actor.apiKeyId, name: actor.name };
		case "runner":
			return { kind: "runner", id: actor.runnerTokenId, name: actor.name };
		case "link":
		case "system":
			return null;
	}
}

/** Identifies a person, an API key or a runner token, such as `user 3`; null for all others. */
export function callerKeyOf(actor: Actor): string | null {
	const creator = creatorOf({ actor });
	return creator === null ? null : `${creator.kind} ${creator.id}`;
}

/** Identifies the caller for fair turns: calls of one caller wait for each other where concurrency is limited. */
export function turnTakerOf({ actor, address = null }: Pick<Context, "actor" | "address">): TurnTaker {
	// Visitors of the same link do not wait for each other.
	const other = actor.kind === "link" ? `link ${actor.recordingId} ${networkOf(address)}` : actor.kind;
	return { organizationId: actor.organizationId, caller: callerKeyOf(actor) ?? other };
}

/** A committed change. It only names what changed; listeners read the current state themselves. */
export type Change =
	| { type: "job"; organizationId: number; jobId: number; runnerId: number }
	| { type: "recording"; organizationId: number; recordingId: number; jobId: number | null; deleted: boolean }
	| { type: "markers"; organizationId: number; jobId: number | null; recordingId: number | null }
	/** Test results of a job, an uploaded recording, or a test run. */
	| {
			type: "tests";
			organizationId: number;
			jobId: number | null;
			recordingId: number | null;
			testRunId: number | null;
	  }
	| { type: "runner"; organizationId: number; runnerId: number; removed?: true }
	/** Someone wants to see a display. Not stored; only for the runner's long poll. */
	| { type: "picture_wanted"; organizationId: number; runnerId: number; displayId: string; width: number }
	/** Another dashboard received a picture of a display. */
	| { type: "picture_taken"; organizationId: number; runnerId: number; displayId: string; width: number }
	/** A dashboard began or ended to share the database. */
	| { type: "dashboards" }
	/** The videos' disk or the organization's storage quota became full or has space again. Carries the new state. */
	| { type: "storage"; organizationId: number; storage: Storage }
	/** A webhook has something to deliver that no other change tells of. Not streamed. */
	| { type: "webhooks"; organizationId: number }
	/** Members, invitations or the organization itself changed. */
	| { type: "members"; organizationId: number }
	/** Changes of other dashboard processes may have been missed: rows that were read before may be out of date. */
	| { type: "resync" };

export interface EventBus {
	/** Number of changes that the listeners here have received. While it is unchanged, earlier reads are still valid. */
	readonly delivered: number;
	/** Delivers a committed change to all listeners, in every dashboard process. Never throws. */
	publish(change: Change): void;
	/** @returns a function that unsubscribes the listener. */
	subscribe(listener: (change: Change) => void): () => void;
}

/**
 * Changes that follow from a change of a job or an uploaded recording, in the same transaction. `lib/lifecycle` calls them
 * without knowing test results; `lib/server/open-app.ts` registers them.
 */
export interface Followers {
	/** Follows a change of a job's status, labels, name or outcome. The job is locked, and `job` is its row afterwards. */
	jobChanged(ctx: Context, job: Selectable<JobTable>, options?: { hasEnded?: boolean }): Promise<void>;
	/** Follows the same changes of an uploaded recording. */
	uploadChanged(ctx: Context, recording: Selectable<RecordingTable>): Promise<void>;
}

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Milliseconds since the machine was booted; for tests in which time passes faster. */
	uptimeMs?(): number;
}

export interface Log {
	debug(data: object, message: string): void;
	info(data: object, message: string): void;
	warn(data: object, message: string): void;
	error(data: object, message: string): void;
}

/** Encrypts what must be readable later, such as a grid's password (AES-256-GCM). */
export interface SecretBox {
	/** The prefix of every text encrypted with the current key. */
	readonly head: string;
	seal(plain: string): string;
	/** @throws when the text was encrypted with an unknown key. */
	open(sealed: string): string;
	/** A keyed hash for later comparison: guesses cannot be checked without the instance's key. */
	hash(plain: string): string;
	/** Whether `hash` was made from this text, with the current key or an earlier one. */
	isHashOf(hash: string, plain: string): boolean;
}

/** Limits for an organization and its people; 0 means no limit. */
export type Quotas = {
	/** Jobs that wait for one runner. */
	queuedJobs: number;
	/**
	 * Bytes of one file that a person or key uploads. Runners are exempt, because a refused upload would lose a
	 * recording.
	 */
	uploadBytes: number;
	/** Bytes of all recordings of an organization. */
	organizationBytes: number;
	/** The quotas of organizations that have others. */
	byOrganization?: ReadonlyMap<number, Partial<Omit<Quotas, "byOrganization">>>;
};

/** @returns the quotas of the actor's organization. */
export const quotasOf = ({ quotas, actor }: Pick<Context, "quotas" | "actor">): Quotas => ({
	...quotas,
	...quotas.byOrganization?.get(actor.organizationId),
});

/** Counters of this process for its operator (lib/http/metrics.ts). */
export interface Measures {
	/** @param verdict on the recording's picture; null without a recording. */
	jobEnded(reason: string, verdict: string | null): void;
	/** @param seconds from the end of the capture until the recording plays. */
	playableAfter(seconds: number): void;
	/** An upload, or a piece of one, did not fit into the storage quota of its organization. */
	quotaRefused(): void;
	/** The gate of CI has let a job's failures through, or has not. */
	gateDecided(result: "passed" | "shut"): void;
	/** A webhook's receiver took a message, will be asked again, or did not take it at the last attempt. */
	webhookAttempted(result: "delivered" | "retried" | "failed"): void;
}

export interface Context {
	measures?: Measures;
	actor: Actor;
	db: Database;
	/**
	 * For reads that may take long: they see what is committed and hold nobody up. The database itself on PostgreSQL; on
	 * SQLite connections in threads of their own. Never writes.
	 */
	reads: Database;
	dialect: DialectName;
	clock: Clock;
	events: EventBus;
	followers: Followers;
	log: Log;
	secrets: SecretBox;
	quotas: Quotas;
	/** For organizations that have set none; if omitted, DEFAULT_RETENTION. */
	defaultRetention?: RetentionPolicy;
	/** The cache of verified credentials; call `forget` after changing who can do what (lib/auth/credentials). */
	credentials: { forget(): void };
	/** The caller's IP address, for the audit log; omitted for the server itself. */
	address?: string | null;
	/** Base URL that people use, without a trailing slash, for building links. */
	baseUrl: string;
}

/** Runs `work` in one transaction, with a context whose database is that transaction. */
export function inTransaction<C extends Pick<Context, "db">, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
	return ctx.db.transaction().execute((db) => work({ ...ctx, db }));
}
