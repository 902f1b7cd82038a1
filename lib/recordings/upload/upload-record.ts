/** The record of an upload: its length, metadata and owner. */
import type { Upload } from "@tus/server";
import type { Context } from "#lib/core/context.ts";

/** Who created an upload: only they may continue it. */
export interface UploadOwner {
	organizationId: number;
	kind: Context["actor"]["kind"];
	/** The id of the user, API key or runner token. */
	id: number;
	/** The job whose video it is; then the holder of the job's lease may continue it. */
	jobId: number | null;
}

export type UploadRecord = Pick<Upload, "id" | "size" | "metadata" | "creation_date"> & { owner?: UploadOwner };
