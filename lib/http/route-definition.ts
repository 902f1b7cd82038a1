/** The properties that every route declares, whether `route` or `stream` handles it. */
import type { IncomingHttpHeaders } from "node:http";
import type { AuditAction } from "@tapedeck/contract/audit.ts";
import { onTheWire } from "@tapedeck/contract/on-the-wire.ts";
import type { Permission } from "@tapedeck/contract/permissions.ts";
import type { ProblemCode } from "@tapedeck/contract/problem.ts";
import * as z from "zod";
import type { FilesOf } from "#lib/nodes/files-at.ts";

export type RouteDefinition = {
	/** The operation's name in the OpenAPI document and in generated clients. Never changed once released. */
	operationId: string;
	/** A sentence for the OpenAPI document. */
	summary: string;
	/**
	 * The permission that a call needs, checked before the body is read (lib/access/authorize.ts). "public" needs no
	 * credentials, but the handler gets the actor when there is one.
	 */
	permission: Permission | "public";
	/** false: calls do not count towards the rate limit. For frames and videos, which one page loads by the hundred. */
	rateLimit?: false;
	/** Whether the route also serves the operator (authenticate-request.ts), who has no row in the database. */
	servesOperator?: true;
	/** The response lasts until the caller closes it. Open streams per caller are limited (rate-limits.ts). */
	streaming?: true;
	/** The response is a large file, which may be read slowly or not at all. Open ones per caller are limited, too. */
	download?: true;
	/**
	 * The audit log entries that the call can write (one per call), or why it writes none. Required for every route that
	 * changes something (app/v1/audited-routes.test.ts).
	 */
	audit?: readonly AuditAction[] | { none: string };
	params?: z.ZodType;
	query?: z.ZodType;
	body?: z.ZodType;
	/** The body is a file: limited in size by the upload rules and in time by idleness (read-request.ts). */
	fileBody?: true;
	/** Media types of a body that is a file, for the OpenAPI document. */
	fileTypes?: readonly string[];
	/** Request headers with a meaning of their own, for the OpenAPI document: the handler validates them. */
	requestHeaders?: z.ZodObject;
	/** Headers of successful responses, for the OpenAPI document. */
	answerHeaders?: z.ZodObject;
	/** Under which name the operator's metrics have the call's duration. */
	measuredAs?: "poll" | "piece";
	/**
	 * The video whose files the call needs. Of several dashboards, the one that has the files answers. Null if the call
	 * names no video.
	 */
	files?: (call: { params: Record<string, string>; headers: IncomingHttpHeaders }) => FilesOf | null;
	/** Errors may be plain text, because the tus protocol defines its own. */
	plainRefusals?: true;
	/** Errors specific to this route, listed by status in the OpenAPI document. */
	refusals?: readonly ProblemCode[];
	/** Response bodies by status: the schema of a JSON body, the media types of any other, or null for no body. */
	answers: Readonly<Record<number, z.ZodType | readonly string[] | null>>;
};

/** Reasons to refuse a file: too large, disk full, or over the organization's storage quota. */
export const STORAGE_REFUSALS = ["payload_too_large", "insufficient_storage", "quota_exceeded"] as const;

/** A route as the OpenAPI document needs it. */
export type DeclaredRoute = {
	method: string;
	/** `/v1/jobs/:jobId` */
	path: string;
	definition: RouteDefinition;
};

/** The files of `/v1/recordings/:recordingId/…`. */
export const filesOfRecording = ({ params }: { params: Record<string, string> }): FilesOf | null => {
	const id = pathId.safeParse(params.recordingId);
	return id.success ? { recordingId: id.data } : null;
};

/** The file of `/v1/attachments/:attachmentId`. */
export const filesOfAttachment = ({ params }: { params: Record<string, string> }): FilesOf | null => {
	const id = pathId.safeParse(params.attachmentId);
	return id.success ? { attachmentId: id.data } : null;
};

/** The files of `/v1/shared/:token/…`. */
export const filesOfShared = ({ params }: { params: Record<string, string> }): FilesOf => ({
	shareToken: params.token ?? "",
});

/** An id in a path: the digits of a positive integer. Anything else is not found. */
export const pathId = z
	.string()
	.regex(/^[1-9]\d{0,15}$/)
	.transform(Number)
	.refine(Number.isSafeInteger)
	.register(onTheWire, { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** The parameters of a path whose parts in brackets are ids. */
export const pathIds = <Name extends string>(...names: Name[]) =>
	z.object(Object.fromEntries(names.map((name) => [name, pathId])) as Record<Name, typeof pathId>);
