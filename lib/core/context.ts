/** What every domain verb gets: who acts, the database, the clock, and where facts are told. */
import type { Kysely } from "kysely";
import type { Role, Scope } from "../contract/organization.ts";
import type { Storage } from "../contract/storage.ts";
import type { Tables } from "../db/schema.ts";

export type Database = Kysely<Tables>;

/** Who acts. Every verb has one; nothing runs without. */
export type Actor =
	| { kind: "user"; organizationId: number; userId: number; name: string; role: Role }
	| { kind: "apiKey"; organizationId: number; apiKeyId: number; name: string; scopes: readonly Scope[] }
	| { kind: "runner"; organizationId: number; runnerTokenId: number; name: string }
	/** Whoever follows a link that was made to play this one recording. */
	| { kind: "link"; organizationId: number; recordingId: number }
	/** The server itself: sweeps, retention. It acts for one organization at a time. */
	| { kind: "system"; organizationId: number };

/** A thing that changed and was committed. Listeners read the thing itself; the fact only names it. */
export type Fact =
	| { type: "job"; organizationId: number; jobId: number; runnerId: number }
	| { type: "recording"; organizationId: number; recordingId: number; jobId: number | null; deleted: boolean }
	| { type: "markers"; organizationId: number; jobId: number | null; recordingId: number | null }
	| { type: "runner"; organizationId: number; runnerId: number; removed?: true }
	/** Somebody wants to see a display: of no row, and for the runner's long poll alone. */
	| { type: "picture_wanted"; organizationId: number; runnerId: number }
	/** The disk that the videos lie on, or what the organization may use, became full or has room again: as told here. */
	| { type: "storage"; organizationId: number; storage: Storage }
	/** Who belongs here, as what, and under which name: members, invitations or the organization itself changed. */
	| { type: "members"; organizationId: number };

export interface FactBus {
	/** Tells a committed fact to everyone who listens. Never throws. */
	publish(fact: Fact): void;
	/** @returns a function that ends the subscription. */
	subscribe(listener: (fact: Fact) => void): () => void;
}

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
}

export interface Log {
	debug(data: object, message: string): void;
	info(data: object, message: string): void;
	warn(data: object, message: string): void;
	error(data: object, message: string): void;
}

/** Encrypts what must be readable later, such as a grid's password (AES-256-GCM). */
export interface SecretBox {
	/** What every text begins with that is sealed under the key of now. */
	readonly head: string;
	seal(plain: string): string;
	/** @throws when the text was sealed under another key. */
	open(sealed: string): string;
}

/** How much an organization and its people may ask for; 0 is any number. */
export type Quotas = {
	/** Jobs that wait for one runner. */
	queuedJobs: number;
	/** Bytes of one file that a person or a key brings in. Runners are not bound: a recording is not to be lost. */
	uploadBytes: number;
	/** Bytes of all recordings of an organization. */
	organizationBytes: number;
};

export interface Context {
	actor: Actor;
	db: Database;
	clock: Clock;
	facts: FactBus;
	log: Log;
	secrets: SecretBox;
	/** Absolute folder of the stored videos. */
	videosDir: string;
	/** So much of that folder's disk is kept free of videos; less on a small disk (lib/recordings/disk-room). */
	diskReserveBytes: number;
	quotas: Quotas;
	/** The caller's IP address, for the audit log; none for the server itself. */
	address?: string | null;
	/** Base URL that people use, without a trailing slash: links begin with it. */
	baseUrl: string;
}
