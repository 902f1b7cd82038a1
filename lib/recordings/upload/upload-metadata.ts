/** `Upload-Metadata`: its format in tus 1.0, and what it says about a new upload. */
import { keepSchema, type Labels, labelsSchema, outcomeSchema } from "@tapedeck/contract/labels.ts";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { recordingKindSchema, uploadRecordingQuerySchema } from "@tapedeck/contract/recording.ts";
import {
	KEEPS,
	type Keep,
	MAX_NAME_LENGTH,
	OUTCOMES,
	type Outcome,
	RECORDING_KINDS,
} from "@tapedeck/contract/recording-kinds.ts";
import type { NewAttachment } from "#lib/test-results/store/attachment-rows.ts";
import { kindOf, refusedFile } from "./file-kind.ts";
import { uploadIdOfJob } from "./owner.ts";
import { Refusal, type UploadMetadata } from "./tus-handler.ts";
import { attachmentOf, isId, type ResultVideo, videoOf } from "./upload-purpose.ts";

const ONLY_VIDEOS =
	"Leave kind out of Upload-Metadata: a result's video is a video. Send as=attachment for another file.";

/** The longest value that is kept of metadata that nothing else limits. */
const MAX_VALUE = 255;
/** Maximum size of the labels' JSON: HEAD returns them in a header, whose size proxies limit. */
const MAX_LABELS_BYTES = 2_000;

/**
 * A new upload: a job's video, which is named after its job unless it has a name, an attachment, or any other video, which
 * may be that of a test result.
 */
export type NewUpload =
	| { jobId: number; name: string | null; attachment: null; video: null }
	| { jobId: null; name: string; attachment: NewAttachment; video: null }
	| { jobId: null; name: string; attachment: null; video: ResultVideo | null };

/** Labels, outcome and keep policy of a video without a job. A job's video has those of its job. */
export interface UploadKeeping {
	labels: Labels;
	outcome: Outcome | null;
	/** Null for what the organization says. */
	keep: Keep | null;
}

/**
 * Reads the metadata of a new upload.
 * @param size in bytes; undefined while it is unknown.
 * @throws a refusal for an invalid job id, result, media type, name, label, outcome or keep policy, and for an empty video.
 */
export function describeUpload(metadata: UploadMetadata, size: number | undefined): NewUpload {
	const { jobId, kind, filetype, name, filename } = metadata;
	if (jobId != null && !isId(jobId)) {
		throw new Refusal(400, "Send jobId in Upload-Metadata as a job's id, or leave it out.");
	}
	const attachment = jobId == null ? attachmentOf(metadata) : null;
	if (attachment !== null) return { jobId: null, name: attachment.name, attachment, video: null };
	if (kind && !recordingKindSchema.safeParse(kind).success) {
		throw new Refusal(422, `Send kind in Upload-Metadata as one of ${RECORDING_KINDS.join(", ")}, or leave it out.`);
	}
	const refused = refusedFile(kindOf(kind), filetype, "filetype");
	if (refused !== null) throw new Refusal(415, refused);
	// An invalid name must not cost a recording.
	if (jobId != null) {
		const given = sanitizeName(name ?? "", MAX_NAME_LENGTH) || null;
		return { jobId: Number(jobId), name: given, attachment: null, video: null };
	}
	if (size === 0) throw new Refusal(422, "An empty file is not a video.");
	keepingOf(metadata);
	const video = videoOf(metadata);
	if (video !== null && kindOf(kind) !== "video") throw new Refusal(422, ONLY_VIDEOS);
	return { jobId: null, name: nameOf(name, filename), attachment: null, video };
}

/** @throws a refusal for an invalid label, outcome or keep policy. */
export function keepingOf({ labels, outcome, keep }: UploadMetadata): UploadKeeping {
	const fits = Buffer.byteLength(labels ?? "") <= MAX_LABELS_BYTES;
	if (!fits) {
		const others = "Add others by PATCH /v1/recordings/{id}.";
		throw new Refusal(422, `Send labels in Upload-Metadata as JSON of at most ${MAX_LABELS_BYTES} bytes. ${others}`);
	}
	const read = labelsSchema.safeParse(labels ? jsonOf(labels) : {});
	if (!read.success) throw new Refusal(422, `labels in Upload-Metadata: ${read.error.issues[0]?.message}`);
	const oneOf = (what: string, kinds: readonly string[]) =>
		new Refusal(422, `Send ${what} in Upload-Metadata as one of ${kinds.join(", ")}, or leave it out.`);
	const [ended, kept] = [outcomeSchema.safeParse(outcome), keepSchema.safeParse(keep)];
	if (outcome && !ended.success) throw oneOf("outcome", OUTCOMES);
	if (keep && !kept.success) throw oneOf("keep", KEEPS);
	return { labels: read.data, outcome: ended.data ?? null, keep: kept.data ?? null };
}

/** @returns undefined for what is no JSON, which no schema takes. */
function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const KEPT = [
	...["filename", "filetype", "kind", "jobId", "labels", "outcome", "keep"],
	...["testResultId", "testRunId", "startedAt", "as"],
];

/** @returns the metadata that are stored. Clients may send any keys, of any size. */
export function keptMetadata(metadata: UploadMetadata, name: string): UploadMetadata {
	const kept: UploadMetadata = { name };
	for (const key of KEPT) {
		const value = metadata[key];
		const longest = key === "labels" && metadata.jobId == null ? MAX_LABELS_BYTES : MAX_VALUE;
		if (value != null && value.length <= longest) kept[key] = value;
	}
	return kept;
}

/** The upload of the job in `Upload-Metadata`; null if it names none. */
export function jobOfMetadata(header: string | string[] | undefined): { uploadId: string } | null {
	const jobId = /(?:^|,)\s*jobId ([A-Za-z0-9+/=]{1,32})/.exec(String(header ?? ""))?.[1];
	const digits = Buffer.from(jobId ?? "", "base64").toString();
	return isId(digits) ? { uploadId: uploadIdOfJob(Number(digits)) } : null;
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
	throw new Refusal(422, `${error?.issues[0]?.message.replace("?name=…", "name in Upload-Metadata")}`);
}
