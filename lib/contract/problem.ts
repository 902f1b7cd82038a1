/** RFC 9457 problem documents: one map, from which code, status and title follow. */
import * as z from "zod";
import "./no-eval.ts";

export const PROBLEMS = {
	invalid_json: { status: 400, title: "The body is not JSON" },
	bad_request: { status: 400, title: "The request cannot be read" },
	unauthorized: { status: 401, title: "Credentials are missing or not valid" },
	forbidden: { status: 403, title: "This is not yours to do" },
	not_found: { status: 404, title: "There is nothing here" },
	method_not_allowed: { status: 405, title: "This address does not take that method" },
	request_timeout: { status: 408, title: "The body did not arrive in time" },
	conflict: { status: 409, title: "This conflicts with what is there" },
	runner_name_taken: { status: 409, title: "Another runner is connected under this name" },
	session_superseded: { status: 409, title: "This runner signed in again elsewhere" },
	runner_removed: { status: 410, title: "This runner was removed" },
	gone: { status: 410, title: "This is gone" },
	payload_too_large: { status: 413, title: "The body is too large" },
	unsupported_media_type: { status: 415, title: "The body's media type is not taken here" },
	range_not_satisfiable: { status: 416, title: "The range is outside the file" },
	validation_failed: { status: 422, title: "The request does not fit" },
	invalid_video: { status: 422, title: "The file is not a video that can be played" },
	too_many_requests: { status: 429, title: "Too many requests" },
	headers_too_large: { status: 431, title: "The headers are too large" },
	internal_error: { status: 500, title: "Something broke on our side" },
	picture_unavailable: { status: 409, title: "The display cannot be seen now" },
	unavailable: { status: 503, title: "Tapedeck cannot answer now" },
	quota_exceeded: { status: 507, title: "The organization's recordings take all the room that they may" },
	insufficient_storage: { status: 507, title: "There is no room left" },
} as const;
export type ProblemCode = keyof typeof PROBLEMS;

/** One fault of a body or query: a dotted path, a machine word, and words that say what to send instead. */
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
