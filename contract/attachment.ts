/** Attachments: files of a test result or a test run, such as screenshots, traces and logs. */
import * as z from "zod";
import "./no-eval.ts";
import { sanitizeName } from "./plain-text.ts";
import { idSchema, timestampSchema } from "./primitives.ts";
import { secondsParam } from "./query-params.ts";

const MAX_NAME = 200;
const NAME = `Send ?name=… as a file name of 1 to ${MAX_NAME} characters, such as trace.zip.`;

export const addAttachmentQuerySchema = z.object({
	/** Folders and control characters are removed from it. */
	name: z
		.string({ error: NAME })
		.max(1_000, { error: NAME })
		.transform((name) => sanitizeName(name.split(/[/\\]/).at(-1) ?? "", MAX_NAME))
		.refine((name) => name !== "" && !/^\.+$/.test(name), { error: NAME }),
});

export const attachmentSchema = z.object({
	id: idSchema,
	name: z.string(),
	/** The type that was sent, without parameters; `application/octet-stream` if nothing valid was. */
	contentType: z.string(),
	bytes: z.int(),
	/** Pixels of a PNG, JPEG, GIF or WebP image; null for other files, and if the width is not known. */
	width: z.int().nullable(),
	height: z.int().nullable(),
	/** `GET` it with the credentials of any call. */
	url: z.string(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** At most an hour, because the URL alone is enough to read the file. */
const MAX_SIGNED_ATTACHMENT_SECONDS = 3_600;
export const signedAttachmentQuerySchema = z.object({
	expiresInSeconds: secondsParam("expiresInSeconds", 1, MAX_SIGNED_ATTACHMENT_SECONDS).default(3_600),
});
export const signedAttachmentSchema = z.object({
	/** The file itself, for tools such as `npx playwright show-trace`. */
	url: z.string(),
	/** Opens a trace in Playwright's trace viewer; null for other files, and for a dashboard without the viewer. */
	viewerUrl: z.string().nullable(),
	expiresAt: timestampSchema,
});
export type SignedAttachment = z.infer<typeof signedAttachmentSchema>;
