/** The record of an upload: its length, metadata and owner. */
import type { Context } from "#lib/core/context.ts";

/** The creator of an upload. Nobody else may continue it. */
export interface UploadOwner {
	organizationId: number;
	kind: Context["actor"]["kind"];
	/** The id of the user, API key or runner token. */
	id: number;
	/** The job whose video it is; then the holder of the job's lease may continue it. */
	jobId: number | null;
}

export interface UploadRecord {
	id: string;
	/** In bytes; undefined until it is declared. */
	size?: number | undefined;
	/** The part of `Upload-Metadata` that HEAD returns. */
	metadata?: Record<string, string | null> | undefined;
	/** The time as ISO 8601: another upload with this name has another one. */
	creation_date: string;
	owner?: UploadOwner;
}
