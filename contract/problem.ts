/** RFC 9457 problem documents: one table of codes with their status and title. */
import * as z from "zod";
import "./no-eval.ts";

export const PROBLEMS = {
	invalid_json: { status: 400, title: "Invalid JSON" },
	bad_request: { status: 400, title: "Bad request" },
	unauthorized: { status: 401, title: "Missing or invalid credentials" },
	forbidden: { status: 403, title: "Not allowed" },
	not_found: { status: 404, title: "Not found" },
	method_not_allowed: { status: 405, title: "Method not allowed" },
	request_timeout: { status: 408, title: "Request timed out" },
	conflict: { status: 409, title: "Conflict" },
	runner_name_taken: { status: 409, title: "Another runner with this name is connected" },
	token_limit: { status: 409, title: "The runner token does not allow this" },
	session_superseded: { status: 409, title: "This runner signed in again elsewhere" },
	runner_removed: { status: 410, title: "This runner was removed" },
	gone: { status: 410, title: "No longer available" },
	payload_too_large: { status: 413, title: "Request body too large" },
	unsupported_media_type: { status: 415, title: "Unsupported media type" },
	range_not_satisfiable: { status: 416, title: "Range not satisfiable" },
	validation_failed: { status: 422, title: "Validation failed" },
	invalid_video: { status: 422, title: "Not a playable video" },
	too_many_requests: { status: 429, title: "Too many requests" },
	headers_too_large: { status: 431, title: "Request headers too large" },
	internal_error: { status: 500, title: "Internal server error" },
	privacy_unconfirmed: { status: 409, title: "Privacy not confirmed by the runner" },
	picture_unavailable: { status: 409, title: "Display picture unavailable" },
	unavailable: { status: 503, title: "Temporarily unavailable" },
	quota_exceeded: { status: 507, title: "Storage quota reached" },
	insufficient_storage: { status: 507, title: "Disk full" },
} as const;
export type ProblemCode = keyof typeof PROBLEMS;

/**
 * One fault of a body or query: a dotted path, a machine-readable code, and a message that says what to send instead.
 */
export const faultSchema = z.object({ path: z.string(), code: z.string(), message: z.string() });
export type Fault = z.infer<typeof faultSchema>;

export const problemSchema = z.object({
	type: z.string(),
	title: z.string(),
	status: z.int(),
	detail: z.string(),
	code: z.string(),
	requestId: z.string(),
	errors: z.array(faultSchema).optional(),
});
export type Problem = z.infer<typeof problemSchema>;
