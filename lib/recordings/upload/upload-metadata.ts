/** `Upload-Metadata`: its format in tus 1.0, and what it says about a new upload. */
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { MAX_NAME_LENGTH, uploadRecordingQuerySchema } from "@tapedeck/contract/recording.ts";
import { uploadIdOfJob } from "./owner.ts";
import { refuse, type UploadMetadata } from "./tus-handler.ts";
import { refusedType } from "./video-type.ts";

/** The longest value that is kept of metadata that nothing else limits. */
const MAX_VALUE = 255;
const JOB_ID = /^[1-9]\d{0,15}$/;

/** What a new upload is to be: a job's video, which is named after its job unless it has a name, or any other. */
export type NewUpload = { jobId: number; name: string | null } | { jobId: null; name: string };

/**
 * Reads the metadata of a new upload.
 * @param size in bytes; undefined while it is unknown.
 * @throws a refusal for an invalid job id, media type or name, and for an empty file.
 */
export function describeUpload(metadata: UploadMetadata, size: number | undefined): NewUpload {
	const { jobId, filetype, name, filename } = metadata;
	if (jobId != null && !(JOB_ID.test(jobId) && Number.isSafeInteger(Number(jobId)))) {
		throw refuse(400, "Send jobId in Upload-Metadata as a job's id, or leave it out.");
	}
	const refused = refusedType(filetype, "filetype");
	if (refused !== null) throw refuse(415, refused);
	// An invalid name must not cost a recording.
	if (jobId != null) return { jobId: Number(jobId), name: sanitizeName(name ?? "", MAX_NAME_LENGTH) || null };
	if (size === 0) throw refuse(422, "An empty file is not a video.");
	return { jobId: null, name: nameOf(name, filename) };
}

/** What is read later, or returned by HEAD: clients may send any keys, of any size. */
export function keptMetadata(metadata: UploadMetadata, name: string): UploadMetadata {
	const kept: UploadMetadata = { name };
	for (const key of ["filename", "filetype", "jobId"]) {
		const value = metadata[key];
		if (value != null && value.length <= MAX_VALUE) kept[key] = value;
	}
	return kept;
}

/** The upload of the job in `Upload-Metadata`; null if it names none. */
export function jobOfMetadata(header: string | string[] | undefined): { uploadId: string } | null {
	const jobId = /(?:^|,)\s*jobId ([A-Za-z0-9+/=]{1,32})/.exec(String(header ?? ""))?.[1];
	const digits = Buffer.from(jobId ?? "", "base64").toString();
	return JOB_ID.test(digits) ? { uploadId: uploadIdOfJob(Number(digits)) } : null;
}

/**
 * The name of a video without a job, otherwise that of its file, which nobody chose for us and which is made to fit.
 * @throws a refusal for an invalid name.
 */
function nameOf(name: string | null | undefined, filename: string | null | undefined): string {
	if (name == null || name.trim() === "") {
		return sanitizeName((filename ?? "").split(/[/\\]/).at(-1) ?? "", MAX_NAME_LENGTH) || "Upload";
	}
	const { data, error } = uploadRecordingQuerySchema.shape.name.safeParse(name);
	if (data !== undefined) return data;
	throw refuse(422, `${error?.issues[0]?.message.replace("?name=…", "name in Upload-Metadata")}`);
}
