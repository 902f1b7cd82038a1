/**
 * The tables, as Kysely sees them. The same on SQLite and PostgreSQL:
 * instants are milliseconds since 1970 in 64-bit integers, JSON is text, flags are 0 or 1.
 * The tables of better-auth (user, session, account, verification, organization, member, invitation)
 * have better-auth's own columns; ids are integers everywhere.
 */
import type { Generated } from "kysely";
import type { AuditAction, AuditActorKind, AuditTargetKind } from "../contract/audit.ts";
import type { JobStatus, StopReason } from "../contract/job.ts";
import type { Role } from "../contract/organization.ts";
import type { RecordingState } from "../contract/recording.ts";
import type { StopCondition } from "../contract/stop-condition.ts";

export interface JobTable {
	id: Generated<number>;
	organizationId: number;
	runnerId: number;
	type: "recording";
	displayId: string;
	name: string;
	stopCondition: StopCondition;
	/** JSON, without the grid's password. */
	stopConditionConfig: string;
	/** The grid's password, encrypted (lib/core/secret-box). */
	gridPasswordSealed: string | null;
	status: JobStatus;
	stopReason: StopReason | null;
	/** The stop reason that a provisional `runner_lost` displaced; it comes back with the runner. */
	heldStopReason: StopReason | null;
	errorMessage: string | null;
	createdAt: number;
	startedAt: number | null;
	stoppedAt: number | null;
	endedAt: number | null;
	cancelRequestedAt: number | null;
	createdByKind: "user" | "apiKey" | "runner" | null;
	createdById: number | null;
	createdByName: string | null;
	/** The runner's own key of an auto-record job; unique with runnerId. */
	runnerKey: string | null;
	/** Tells the job from another one that has, or had, the same id; unique with runnerId. The runner's key, if there is one. */
	key: string | null;
	/** When its recording was deleted here: what its runner still has of it is not wanted. */
	recordingDeletedAt: number | null;
}

/** One row: the id by which runners tell this dashboard from others. It travels with a backup. */
export interface DashboardTable {
	id: string;
}

export interface JobEventTable {
	id: Generated<number>;
	jobId: number;
	type: string;
	at: number;
	message: string;
	/** JSON object. */
	data: string;
	/** The runner's number of the report that made this; unique with jobId, so that a repeated report changes nothing. */
	runnerSeq: number | null;
}

export interface RunnerTable {
	id: Generated<number>;
	organizationId: number;
	/** What it signs in with; with the organization its identity, unique. Of a removed one, a name that none can have. */
	signInName: string;
	/** As it is shown; unique among the organization's runners that are not removed. */
	name: string;
	/** It shall be here no more; the row stays for its jobs. */
	removedAt: number | null;
	version: string;
	instanceId: string | null;
	sessionId: string | null;
	/** JSON list of {id, width, height}. */
	displays: string;
	lastSeenAt: number | null;
	createdAt: number;
}

export interface RecordingTable {
	id: Generated<number>;
	organizationId: number;
	/** Unique; null for a video that was made elsewhere. */
	jobId: number | null;
	/** Its job's; null for a video that was made elsewhere. */
	runnerId: Generated<number | null>;
	name: string;
	state: RecordingState;
	contentType: string;
	/** The tus upload's id and the file's name in the videos folder; unique. */
	uploadId: string;
	durationSeconds: number;
	/** Of the file. */
	bytes: number;
	/** Of a download; null where that is the file as it is, and where it is not known yet. */
	downloadBytes: Generated<number | null>;
	width: number | null;
	height: number | null;
	verdict: "ok" | "black" | "frozen" | null;
	pinned: Generated<number>;
	createdAt: number;
	/** When the last byte arrived. */
	updatedAt: number;
}

export interface MarkerTable {
	id: Generated<number>;
	organizationId: number;
	/** Whose it is: a job's, or that of a recording that was made elsewhere. */
	jobId: number | null;
	recordingId: number | null;
	label: string;
	kind: "step" | "pass" | "fail" | "note" | "stall";
	/** A job's: milliseconds since 1970. A recording's: milliseconds from its first frame. */
	at: number;
	createdAt: number;
}

export interface IdempotencyKeyTable {
	organizationId: number;
	key: string;
	/** SHA-256 of the body, hex. */
	bodyHash: string;
	/** JSON of the first answer's body, given again for the same key. */
	answer: string;
	jobId: number;
	createdAt: number;
}

export interface ApiKeyTable {
	id: Generated<number>;
	organizationId: number;
	name: string;
	prefix: string;
	/** SHA-256 of the key, hex; unique. */
	hash: string;
	/** JSON list of scopes. */
	scopes: string;
	createdByUserId: number | null;
	createdAt: number;
	lastUsedAt: number | null;
	expiresAt: number | null;
	revokedAt: number | null;
}

export interface RunnerTokenTable {
	id: Generated<number>;
	organizationId: number;
	name: string;
	prefix: string;
	/** SHA-256 of the token, hex; unique. */
	hash: string;
	createdAt: number;
	lastUsedAt: number | null;
	/** Set when it was rotated: the end of its grace. */
	expiresAt: number | null;
	revokedAt: number | null;
}

/** Append-only: triggers refuse changes. */
export interface AuditEntryTable {
	id: Generated<number>;
	organizationId: number;
	at: number;
	actorKind: AuditActorKind;
	actorId: number | null;
	/** As it was then, like the target's. */
	actorName: string;
	address: string | null;
	action: AuditAction;
	targetKind: AuditTargetKind | null;
	targetId: number | null;
	targetName: string | null;
	/** JSON object. */
	detail: string;
}

/** A public page that plays one recording. */
export interface ShareLinkTable {
	id: Generated<number>;
	organizationId: number;
	recordingId: number;
	/** SHA-256 of the link's token, hex; unique. */
	hash: string;
	prefix: string;
	createdByUserId: number | null;
	createdByName: string;
	createdAt: number;
	expiresAt: number | null;
	revokedAt: number | null;
}

/** What an organization's recordings take; kept by triggers (migration 0008). */
export interface OrganizationUseTable {
	organizationId: number;
	bytes: number;
}

/** Room that uploads under way will take: those whose length is known. */
export interface HeldRoomTable {
	uploadId: string;
	organizationId: number;
	bytes: number;
	createdAt: number;
}

export interface RetentionTable {
	organizationId: number;
	maxAgeDays: number | null;
	maxDiskPercent: number | null;
	maxBytes: number | null;
}

/** better-auth's tables, only the columns that our own queries read. */
export interface UserTable {
	id: Generated<number>;
	name: string;
	email: string;
}
export interface OrganizationTable {
	id: Generated<number>;
	name: string;
	slug: string;
}
export interface MemberTable {
	id: Generated<number>;
	organizationId: number;
	userId: number;
	role: Role;
}

/** A link that invites into an organization. Single-use: `acceptedAt` is set by whoever comes first. */
export interface InvitationLinkTable {
	id: Generated<number>;
	organizationId: number;
	/** SHA-256 of the link's token, hex; unique. */
	hash: string;
	role: Role;
	/** In lower case; null when the link is for whoever has it. */
	email: string | null;
	createdByUserId: number;
	createdAt: number;
	expiresAt: number;
	revokedAt: number | null;
	acceptedAt: number | null;
	acceptedByUserId: number | null;
}

/** A link that lets a person choose a new password. One a person; gone once it was used. */
export interface PasswordResetLinkTable {
	id: Generated<number>;
	userId: number;
	/** SHA-256 of the link's token, hex; unique. */
	hash: string;
	/** Who made it; the person themselves when the operator of the machine did. */
	createdByUserId: number;
	createdAt: number;
	expiresAt: number;
}

export interface Tables {
	invitationLink: InvitationLinkTable;
	passwordResetLink: PasswordResetLinkTable;
	dashboard: DashboardTable;
	job: JobTable;
	jobEvent: JobEventTable;
	runner: RunnerTable;
	recording: RecordingTable;
	marker: MarkerTable;
	idempotencyKey: IdempotencyKeyTable;
	apiKey: ApiKeyTable;
	runnerToken: RunnerTokenTable;
	auditEntry: AuditEntryTable;
	shareLink: ShareLinkTable;
	retention: RetentionTable;
	organizationUse: OrganizationUseTable;
	heldRoom: HeldRoomTable;
	user: UserTable;
	organization: OrganizationTable;
	member: MemberTable;
}
