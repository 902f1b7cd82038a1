/**
 * The access matrix: one row for each route, tested by access.test.ts. A row has the lowest role, the scope, and the
 * status that admitted callers get for an object that does not exist (or from a call that changes nothing).
 */
import type { Role, Scope } from "@tapedeck/contract/permissions.ts";

export type Row = {
	/** The status that admitted callers get. */
	status: number;
	/** The lowest admitted role; null if no person is admitted. */
	role: Role | null;
	/** The scope that a key needs; `any` for every key, null for none. */
	scope: Scope | "any" | null;
	/** The status that a runner gets; 403 if omitted. */
	runner?: number;
	/** Admits everybody, with or without credentials. */
	open?: true;
	body?: unknown;
	headers?: Record<string, string>;
	/** The status that callers with valid credentials but without the permission get; 403 if omitted. */
	refusal?: 401;
};

const reads = (scope: Scope, status = 404): Row => ({ status, role: "viewer", scope });
const writes = (scope: Scope, status = 404, body?: unknown): Row => ({ status, role: "member", scope, body });
const people = (role: Role, status: number, body?: unknown): Row => ({ status, role, scope: null, body });
const settings = (status: number, body: unknown): Row => ({ status, role: "admin", scope: "settings:write", body });
const runners = (runner: number, body?: unknown): Row => ({ status: 403, role: null, scope: null, runner, body });
const everybody = (status: number, body?: unknown): Row => ({ status, role: "viewer", scope: "any", open: true, body });

const tus = (status: number, runner: number, headers = {}): Row => ({
	...{ status, role: "member", scope: "recordings:write", runner },
	headers: { "tus-resumable": "1.0.0", ...headers },
});

const NAME = { name: "Matrix" };
const NDJSON = { "content-type": "application/x-ndjson" };
const SESSION = { sessionId: "00000000-0000-4000-8000-000000000000" };
const DISPLAYS = [{ id: ":99", width: 640, height: 480 }];
const AT = "2026-11-21T00:00:00.000Z";

export const MATRIX: Record<string, Row> = {
	"GET /install.sh": everybody(200),
	"GET /skill.md": everybody(200),
	"GET /.well-known/agent-skills/index.json": everybody(200),
	"GET /.well-known/tapedeck-keys.json": everybody(200),
	// Each tool checks the permission that it needs (lib/mcp/mcp.test.ts).
	"POST /mcp": { status: 415, role: "viewer", scope: "any" },
	"GET /metrics": { status: 200, role: null, scope: "metrics:read", refusal: 401 },
	"GET /v1/health": everybody(200),
	"GET /v1/health/live": everybody(200),
	"GET /v1/openapi.json": everybody(200),
	"GET /v1/setup": everybody(200),
	"POST /v1/setup": everybody(409, {
		organizationName: "x",
		name: "x",
		email: "x@example.com",
		password: "long enough password",
	}),
	"POST /v1/sign-up": everybody(404, {
		token: "x".repeat(43),
		name: "x",
		email: "y@example.com",
		password: "long enough",
	}),
	"POST /v1/password-reset": everybody(410, { token: "x".repeat(43), password: "long enough" }),
	"POST /v1/password-reset/requests": everybody(409, { email: "ada@example.com" }),
	"POST /v1/invitations/open": everybody(404, { token: "x".repeat(43) }),
	"POST /v1/invitations/accept": { ...people("viewer", 404, { token: "x".repeat(43) }), refusal: 401 },
	"GET /v1/shared/:token": everybody(404),
	"GET /v1/shared/:token/video": everybody(404),
	"GET /v1/shared/:token/poster": everybody(404),
	"GET /v1/shared/:token/frame": everybody(404),
	"GET /v1/shared/:token/clip": everybody(404),
	"GET /v1/shared/:token/tests": everybody(404),
	"GET /v1/shared/:token/proof": everybody(404),
	"GET /v1/shared/:token/proof/receipt": everybody(404),
	"GET /v1/shared/:token/attachments/:attachmentId": everybody(404),
	"GET /v1/shared/:token/tracks": everybody(404),
	"GET /v1/shared/:token/tracks/:name": everybody(404),
	"GET /v1/oembed": everybody(422),

	"GET /v1/me": { status: 200, role: "viewer", scope: "any" },
	"PATCH /v1/me": people("viewer", 422, {}),
	"POST /v1/me/password": people("viewer", 422, {}),
	"POST /v1/me/second-factor": people("viewer", 422, {}),
	"POST /v1/me/second-factor/confirmation": people("viewer", 422, {}),
	"POST /v1/me/second-factor/removal": people("viewer", 422, {}),
	"GET /v1/me/passkeys": people("viewer", 200),
	"POST /v1/me/passkeys": people("viewer", 422, {}),
	"POST /v1/me/passkeys/options": people("viewer", 422, {}),
	"DELETE /v1/me/passkeys/:passkeyId": people("viewer", 404),
	"GET /v1/me/sessions": people("viewer", 200),
	"DELETE /v1/me/sessions": people("viewer", 204),
	"DELETE /v1/me/sessions/:sessionId": people("viewer", 404),

	"GET /v1/members": people("viewer", 200),
	"PATCH /v1/members/:userId": people("admin", 404, { role: "viewer" }),
	"DELETE /v1/members/:userId": people("admin", 404),
	"POST /v1/members/:userId/password-reset": people("admin", 404),
	"PATCH /v1/organization": people("admin", 200, NAME),
	"POST /v1/organization/deletion": people("owner", 422, { name: "Not its name" }),
	"DELETE /v1/organization/deletion": people("owner", 204),
	"POST /v1/organization/transfer": people("owner", 404, { userId: 999_999_999 }),
	"POST /v1/organizations": people("admin", 422, {}),
	"GET /v1/invitations": people("admin", 200),
	"POST /v1/invitations": people("admin", 201, { role: "viewer" }),
	"DELETE /v1/invitations/:invitationId": people("admin", 404),
	"GET /v1/audit-log": people("admin", 200),
	"GET /v1/audit-log/export": people("admin", 200),

	"GET /v1/api-keys": people("admin", 200),
	"POST /v1/api-keys": people("admin", 201, NAME),
	"DELETE /v1/api-keys/:apiKeyId": people("admin", 404),
	"POST /v1/device-sign-ins": everybody(201, NAME),
	"POST /v1/device-sign-ins/key": everybody(410, { deviceCode: "x".repeat(43) }),
	"POST /v1/device-sign-ins/open": people("admin", 404, { userCode: "BCDF-GHJK" }),
	"POST /v1/device-sign-ins/approve": people("admin", 404, { userCode: "BCDF-GHJK", scopes: ["jobs:read"] }),
	"POST /v1/device-sign-ins/deny": people("admin", 404, { userCode: "BCDF-GHJK" }),
	"GET /v1/runner-tokens": people("admin", 200),
	"POST /v1/runner-tokens": { status: 201, role: "admin", scope: "runners:write", body: NAME },
	"DELETE /v1/runner-tokens/:runnerTokenId": people("admin", 404),
	"POST /v1/runner-tokens/:runnerTokenId/rotate": { status: 404, role: "admin", scope: "runners:write" },

	"GET /v1/events": reads("jobs:read", 200),
	"GET /v1/jobs": reads("jobs:read", 200),
	"POST /v1/jobs": writes("jobs:write", 422, { runnerId: 999_999_999, displayId: ":99", stopCondition: "interrupt" }),
	"GET /v1/jobs/counts": reads("jobs:read", 200),
	"GET /v1/jobs/:jobId": reads("jobs:read"),
	"POST /v1/jobs/:jobId/cancel": writes("jobs:write"),
	"GET /v1/jobs/:jobId/events": reads("jobs:read"),
	"GET /v1/jobs/:jobId/markers": reads("jobs:read"),
	"POST /v1/jobs/:jobId/gate": writes("jobs:write", 404, {}),
	"POST /v1/jobs/:jobId/privacy": writes("jobs:write", 404, { on: true }),
	"POST /v1/jobs/:jobId/markers": writes("jobs:write", 404, { label: "x" }),
	"POST /v1/jobs/:jobId/markers/batch": writes("jobs:write", 404, { markers: [{ label: "x" }] }),
	"DELETE /v1/jobs/:jobId/markers/:markerId": writes("jobs:write"),
	"GET /v1/jobs/:jobId/tracks": reads("jobs:read"),
	"GET /v1/jobs/:jobId/tracks/:name": reads("jobs:read"),
	"POST /v1/jobs/:jobId/tracks/:name": { ...writes("jobs:write"), headers: NDJSON },
	"POST /v1/jobs/:jobId/tests": writes("jobs:write", 404, [{ key: "x", test: "x" }]),
	"GET /v1/test-runs": reads("recordings:read", 200),
	"POST /v1/test-runs": writes("jobs:write", 201, NAME),
	"GET /v1/test-runs/:testRunId": reads("recordings:read"),
	"DELETE /v1/test-runs/:testRunId": writes("recordings:write"),
	"POST /v1/test-runs/:testRunId/tests": writes("jobs:write", 404, [{ key: "x", test: "x" }]),
	"POST /v1/test-runs/:testRunId/end": writes("jobs:write", 404, { outcome: "passed" }),
	"POST /v1/test-runs/:testRunId/gate": writes("jobs:write", 404, {}),
	"POST /v1/test-runs/:testRunId/attachments": writes("jobs:write", 422),
	"POST /v1/tests/:resultId/attachments": writes("jobs:write", 422),
	"GET /v1/attachments/:attachmentId": reads("recordings:read"),
	"GET /v1/attachments/:attachmentId/url": reads("recordings:read"),
	"DELETE /v1/attachments/:attachmentId": writes("recordings:write"),
	"GET /v1/tests": reads("recordings:read", 200),
	"GET /v1/tests/:resultId": reads("recordings:read"),
	"GET /v1/tests/:resultId/frame": reads("recordings:read"),
	"GET /v1/test-history": reads("recordings:read", 422),
	"GET /v1/test-summaries": reads("recordings:read", 200),
	"GET /v1/test-failures": reads("recordings:read", 200),
	"GET /v1/failure-triage": reads("recordings:read", 200),
	"PUT /v1/failure-triage": writes("recordings:write", 404, { testId: 4_711 }),

	"GET /v1/recordings": reads("recordings:read", 200),
	"POST /v1/recordings": writes("recordings:write", 422),
	"GET /v1/recordings/:recordingId": reads("recordings:read"),
	"GET /v1/recordings/download": reads("recordings:read"),
	"PATCH /v1/jobs/:jobId": writes("jobs:write", 404, { labels: { build: "1" } }),
	"GET /v1/labels": reads("recordings:read", 200),
	"GET /v1/builds": reads("recordings:read", 200),
	"GET /v1/builds/:build": reads("recordings:read"),
	"GET /v1/builds/:build/report": reads("recordings:read"),
	"GET /v1/failures/seen": people("viewer", 200),
	"PUT /v1/failures/seen": people("viewer", 200, { seenAt: AT }),
	"GET /v1/recordings/:recordingId/last-passed": reads("recordings:read"),
	"GET /v1/recording-settings": reads("recordings:read", 200),
	"PUT /v1/recording-settings": settings(200, { keep: "always", graceSeconds: 3600, maxDurationSeconds: null }),
	"PATCH /v1/recordings/:recordingId": writes("recordings:write", 404, { pinned: true }),
	"POST /v1/recordings/unpin": writes("recordings:write", 200, { recordingIds: [999_999_999] }),
	"DELETE /v1/recordings/:recordingId": writes("recordings:write"),
	"GET /v1/recordings/:recordingId/clip": reads("recordings:read"),
	"GET /v1/recordings/:recordingId/digest": reads("recordings:read"),
	"GET /v1/recordings/:recordingId/proof": reads("recordings:read"),
	"GET /v1/recordings/:recordingId/proof/receipt": reads("recordings:read"),
	"GET /v1/recordings/:recordingId/first-difference": reads("recordings:read", 422),
	"GET /v1/recordings/:recordingId/frame": reads("recordings:read"),
	"GET /v1/recordings/:recordingId/live": reads("recordings:read"),
	"GET /v1/recordings/:recordingId/poster": reads("recordings:read"),
	"GET /v1/recordings/:recordingId/storyboard": reads("recordings:read"),
	"GET /v1/recordings/:recordingId/url": { status: 404, role: "member", scope: "recordings:read" },
	"GET /v1/recordings/:recordingId/video": reads("recordings:read"),
	"GET /v1/recordings/:recordingId/markers": reads("recordings:read"),
	"POST /v1/recordings/:recordingId/markers": writes("recordings:write", 404, { label: "x", offsetSeconds: 0 }),
	"POST /v1/recordings/:recordingId/markers/batch": writes("recordings:write", 404, {
		markers: [{ label: "x", offsetSeconds: 0 }],
	}),
	"DELETE /v1/recordings/:recordingId/markers/:markerId": writes("recordings:write"),
	"GET /v1/recordings/:recordingId/links": writes("recordings:write"),
	"POST /v1/recordings/:recordingId/links": writes("recordings:write", 404, { expiresAt: null }),
	"DELETE /v1/recordings/:recordingId/links/:linkId": writes("recordings:write"),
	"GET /v1/views": people("viewer", 200),
	"POST /v1/views": people("viewer", 201, { page: "jobs", name: "Matrix", query: "q=x" }),
	"PATCH /v1/views/:viewId": people("viewer", 404, NAME),
	"DELETE /v1/views/:viewId": people("viewer", 404),
	"GET /v1/schedules": reads("jobs:read", 200),
	"POST /v1/schedules": writes("jobs:write", 422, {}),
	"GET /v1/schedules/:scheduleId": reads("jobs:read"),
	"PATCH /v1/schedules/:scheduleId": writes("jobs:write", 404, { paused: true }),
	"DELETE /v1/schedules/:scheduleId": writes("jobs:write"),
	"GET /v1/webhooks": settings(200, undefined),
	"POST /v1/webhooks": settings(422, { url: "http://127.0.0.1/", events: ["job.ended"] }),
	"GET /v1/webhooks/:webhookId": settings(404, undefined),
	"PATCH /v1/webhooks/:webhookId": settings(404, { paused: true }),
	"DELETE /v1/webhooks/:webhookId": settings(404, undefined),
	"POST /v1/webhooks/:webhookId/rotate-secret": settings(404, undefined),
	"POST /v1/webhooks/:webhookId/test": settings(404, undefined),
	"GET /v1/webhooks/:webhookId/deliveries": settings(404, undefined),
	"GET /v1/webhooks/:webhookId/deliveries/:deliveryId": settings(404, undefined),
	"POST /v1/webhooks/:webhookId/deliveries/:deliveryId/resend": settings(404, undefined),
	"POST /v1/builds/:build/finish": writes("jobs:write", 404, {}),
	"GET /v1/coverage": reads("recordings:read", 200),
	"GET /v1/daily-totals": reads("recordings:read", 200),
	"GET /v1/sessions/:sessionId": reads("recordings:read"),
	"PATCH /v1/sessions/:sessionId": writes("jobs:write", 404, { outcome: "passed" }),
	"GET /v1/retention": reads("recordings:read", 200),
	"POST /v1/retention/confirm-clock": people("admin", 200),
	"POST /v1/retention/preview": settings(200, { maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null }),
	"GET /v1/deleted-recordings": reads("recordings:read", 200),
	"GET /v1/deleted-recordings/:recordingId": reads("recordings:read"),
	"DELETE /v1/deleted-recordings/:recordingId": writes("recordings:write"),
	"POST /v1/deleted-recordings/restore": writes("recordings:write", 200, { build: "none" }),
	"POST /v1/deleted-recordings/:recordingId/restore": writes("recordings:write"),
	"PUT /v1/retention": settings(200, { maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null }),
	"GET /v1/storage": reads("recordings:read", 200),

	"GET /v1/runners": reads("runners:read", 200),
	"GET /v1/runners/:runnerId": reads("runners:read"),
	"GET /v1/runners/:runnerId/displays/:displayId/picture": reads("runners:read"),
	"PATCH /v1/runners/:runnerId": writes("runners:write", 404, NAME),
	"POST /v1/runners/remove": { status: 200, role: "admin", scope: "runners:write", body: { runnerIds: [999_999_999] } },
	"DELETE /v1/runners/:runnerId": { status: 404, role: "admin", scope: "runners:write" },

	"OPTIONS /v1/uploads": tus(204, 204),
	"POST /v1/uploads": tus(201, 201, { "upload-length": "1000" }),
	"OPTIONS /v1/uploads/:uploadId": tus(204, 204),
	"HEAD /v1/uploads/:uploadId": tus(404, 404),
	"PATCH /v1/uploads/:uploadId": tus(404, 404, {
		"content-type": "application/offset+octet-stream",
		"upload-offset": "0",
	}),
	"DELETE /v1/uploads/:uploadId": tus(404, 404),

	"GET /v1/runner": runners(200),
	"GET /v1/runner/package": runners(200),
	"GET /v1/runner/node/:arch": runners(404),
	"POST /v1/runner/sign-in": runners(200, {
		name: "matrix",
		version: "test",
		instanceId: "instance-matrix",
		displays: DISPLAYS,
	}),
	"POST /v1/runner/sign-out": runners(409, SESSION),
	"POST /v1/runner/sync": runners(409, { ...SESSION, jobs: [], waitSeconds: 0 }),
	"POST /v1/runner/reports": runners(409, { ...SESSION, sentAt: AT, jobs: [] }),
	"POST /v1/runner/jobs": runners(422, {}),
	"PUT /v1/runner/jobs/:jobId/poster": runners(403),
	"PUT /v1/runner/jobs/:jobId/screenshot": runners(422),
	"POST /v1/runner/jobs/:jobId/tracks/:name": { ...runners(403), headers: NDJSON },
	"PUT /v1/runner/displays/:displayId/picture": runners(409),
};
