/** Uploads by tus whose metadata name a test result or a test run: attachments, and the video of a result. */
import { addAttachmentQuerySchema } from "@tapedeck/contract/attachment.ts";
import { ATTACHMENT_TOO_LARGE, MAX_ATTACHMENT_BYTES } from "@tapedeck/contract/attachment-kinds.ts";
import { uploadRecordingQuerySchema, VIDEO_TYPES } from "@tapedeck/contract/recording.ts";
import type { Context } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";
import { type AttachmentOwner, mediaTypeOf, type NewAttachment } from "#lib/test-results/store/attachment-rows.ts";
import { Refusal, type UploadMetadata } from "./tus-handler.ts";

/** A video that becomes that of a result. */
export interface ResultVideo {
	testResultId: number;
	/** When its first frame was captured; undefined for the beginning of the test. */
	startedAt: number | undefined;
}

const ATTACHMENT = "attachment";
const ID = /^[1-9]\d{0,15}$/;

/** Whether a value of the metadata is the id of a row. */
export const isId = (value: string): boolean => ID.test(value) && Number.isSafeInteger(Number(value));

/**
 * Reads what an upload is attached to. A file for a result is its video if it has the type of one, unless `as` says otherwise.
 * @returns null for any other upload.
 * @throws a refusal for invalid metadata.
 */
export function attachmentOf(metadata: UploadMetadata): NewAttachment | null {
	const owner = ownerOf(metadata);
	const { filetype, as } = metadata;
	if (as != null && as !== ATTACHMENT)
		throw new Refusal(422, `Send as in Upload-Metadata as ${ATTACHMENT}, or leave it out.`);
	if (owner === null) {
		if (as == null) return null;
		throw new Refusal(422, "Send the testResultId or the testRunId of the attachment in Upload-Metadata.");
	}
	const contentType = mediaTypeOf(filetype);
	const isVideo = (VIDEO_TYPES as readonly string[]).includes(contentType);
	if (isVideo && as == null && owner.resultId !== null) return null;
	const named = addAttachmentQuerySchema.shape.name.safeParse(metadata.name ?? metadata.filename ?? "");
	if (!named.success)
		throw new Refusal(422, `${named.error.issues[0]?.message.replace("?name=…", "name in Upload-Metadata")}`);
	return { owner, name: named.data, contentType };
}

/** Reads the result that a video shows. Call for uploads that are no attachment. @returns null if it shows none. */
export function videoOf(metadata: UploadMetadata): ResultVideo | null {
	const { startedAt } = metadata;
	const testResultId = idOf(metadata, "testResultId");
	if (startedAt == null) return testResultId === null ? null : { testResultId, startedAt: undefined };
	if (testResultId === null)
		throw new Refusal(
			422,
			"Send the testResultId of the result that the video shows with startedAt in Upload-Metadata.",
		);
	const read = uploadRecordingQuerySchema.shape.startedAt.safeParse(startedAt);
	if (!read.success) throw new Refusal(422, `${read.error.issues[0]?.message}`);
	return { testResultId, startedAt: read.data };
}

/** @throws a refusal unless the caller may attach files of this size. */
export function assertMayAttach({ actor }: Pick<Context, "actor">, size: number | undefined): void {
	if (actor.kind === "runner" || (actor.kind === "apiKey" && !actor.scopes.includes("jobs:write")))
		throw new Refusal(403, "To attach files to test results, use an API key with the scope jobs:write.");
	if (size === undefined) throw new Refusal(400, "Send the Upload-Length of an attachment.");
	if (size > MAX_ATTACHMENT_BYTES) throw new TapedeckError("payload_too_large", ATTACHMENT_TOO_LARGE);
}

function ownerOf(metadata: UploadMetadata): AttachmentOwner | null {
	const resultId = idOf(metadata, "testResultId");
	const testRunId = idOf(metadata, "testRunId");
	if (resultId === null) return testRunId === null ? null : { resultId, testRunId };
	if (testRunId === null) return { resultId, testRunId };
	throw new Refusal(422, "Send either testResultId or testRunId in Upload-Metadata.");
}

function idOf(metadata: UploadMetadata, key: "testResultId" | "testRunId"): number | null {
	const value = metadata[key];
	if (value == null) return null;
	if (isId(value)) return Number(value);
	throw new Refusal(422, `Send ${key} in Upload-Metadata as its id, or leave it out.`);
}
