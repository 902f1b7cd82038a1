/** Every route that changes something declares its audit log entries, and writes exactly those. */
import { readFile } from "node:fs/promises";
import type { AuditEntry } from "@tapedeck/contract/audit.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setAppContext } from "#lib/http/app-context.ts";
import type { DeclaredRoute } from "#lib/http/route-definition.ts";
import { cookieOf, invite, join, PASSWORD, type Person, signIn, tokenOf } from "#test/api-people.ts";
import { type Answer, type CallOptions, startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { createPasskeyDevice } from "#test/passkey.ts";
import { totpOf } from "#test/totp.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { until } from "#test/wait.ts";

/** A running server, and an owner who reads its audit log. */
type Stage = { api: TestApi; owner: Person; video: Buffer };
/** Makes one call of the route and collects the audit log entries that it writes. */
type Perform = (path: string, options?: CallOptions & { by?: Person }) => Promise<Answer>;
/** Prepares what the route acts on, and calls it until every declared entry should have been written. */
type Act = (stage: Stage, perform: Perform) => Promise<unknown>;

const stage = { api: await startTestApi() } as Stage;
const changing = stage.api.app.routes.filter(({ method }) => !["GET", "HEAD", "OPTIONS"].includes(method));
const audited = changing.filter(({ definition: { audit } }) => audit !== undefined && !("none" in audit));
const nameOf = ({ method, path }: DeclaredRoute) => `${method} ${path}`;

beforeAll(async () => {
	stage.owner = await signIn(stage.api);
	stage.video = await readFile(await makeVideo("recorder.mp4"));
});
afterAll(async () => {
	await stage.api.stop();
	await removeTestFolder();
});

test.each(
	changing.map((route) => [nameOf(route), route.definition.audit] as const),
)("%s declares its audit log entries, or why it has none", (_name, audit) => {
	expect(audit).toBeDefined();
	if (audit !== undefined && "none" in audit) expect(audit.none).toMatch(/^[A-Z].*\.$/);
	else expect(audit).not.toHaveLength(0);
});

let count = 0;
const named = (what: string): string => {
	count += 1;
	return `${what} ${count}`;
};
/** Creates something with a call. @returns its id */
const created = async (call: Promise<Answer>): Promise<number> => {
	const { status, body } = await call;
	expect(status).toBe(201);
	return body.id;
};
const upload = ({ api, video }: Stage) =>
	created(api.call("POST", "/v1/recordings?name=Audited", { raw: video, headers: { "content-type": "video/mp4" } }));
const deleted = async (on: Stage) => {
	const id = await upload(on);
	await on.api.call("DELETE", `/v1/recordings/${id}`);
	return id;
};
const share = async (on: Stage) => {
	const id = await upload(on);
	return {
		id,
		linkId: await created(on.api.call("POST", `/v1/recordings/${id}/links`, { body: { expiresAt: null } })),
	};
};
const order = async ({ api }: Stage) => {
	const { runnerId } = await api.signIn(named("runner"));
	return { runnerId, displayId: ":99", stopCondition: "interrupt" } as const;
};
const TUS = {
	"tus-resumable": "1.0.0",
	"content-type": "application/offset+octet-stream",
	"upload-metadata": `filetype ${btoa("video/mp4")}`,
};
const sharedView = () => ({ page: "jobs", name: named("view"), query: "q=x", shared: true });
const schedule = async (on: Stage) =>
	created(on.api.call("POST", "/v1/schedules", { body: { everySeconds: 3_600, job: await order(on) } }));
const webhook = ({ api }: Stage) => {
	const body = { url: "https://receiver.invalid/hooks", events: ["job.ended"] };
	return created(api.call("POST", "/v1/webhooks", { body }));
};
const resetLink = async ({ owner }: Stage, person: Person) =>
	tokenOf((await owner.call("POST", `/v1/members/${person.userId}/password-reset`)).body.url);

/** A passkey that has only to be sent. */
const newPasskey = async ({ api, owner }: Stage) => {
	const by = await join(api, owner, "viewer");
	const begun = await by.call("POST", "/v1/me/passkeys/options", { body: { password: PASSWORD } });
	const response = createPasskeyDevice().create({ options: begun.body, origin: api.url });
	return { by, cookie: `${by.cookie()}; ${cookieOf(begun)}`, body: { name: "Key", response } };
};

/** One row for each route that declares entries. */
const ACTS: Record<string, Act> = {
	"POST /v1/setup": (_on, perform) =>
		perform("/v1/setup", {
			token: null,
			body: { organizationName: "First", name: "Ada", email: "ada@example.com", password: PASSWORD },
		}),
	"POST /v1/sign-up": async ({ owner }, perform) => {
		const { token } = await invite(owner, "viewer");
		const person = { name: "New", email: `${named("new").replace(" ", "-")}@example.com`, password: PASSWORD };
		await perform("/v1/sign-up", { token: null, body: { token, ...person } });
	},
	"POST /v1/password-reset": async (on, perform) => {
		const token = await resetLink(on, await join(on.api, on.owner, "viewer"));
		await perform("/v1/password-reset", { token: null, body: { token, password: PASSWORD } });
	},
	"POST /v1/me/password": async ({ api, owner }, perform) => {
		const by = await join(api, owner, "viewer");
		await perform("/v1/me/password", { by, body: { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` } });
	},
	"POST /v1/me/second-factor/confirmation": async ({ api, owner }, perform) => {
		const by = await join(api, owner, "viewer");
		const { uri } = (await by.call("POST", "/v1/me/second-factor", { body: { password: PASSWORD } })).body;
		await perform("/v1/me/second-factor/confirmation", { by, body: { code: totpOf(uri) } });
	},
	"POST /v1/me/second-factor/removal": async ({ api, owner }, perform) => {
		const by = await join(api, owner, "viewer");
		const { uri } = (await by.call("POST", "/v1/me/second-factor", { body: { password: PASSWORD } })).body;
		const code = { body: { code: totpOf(uri) } };
		const { headers } = await by.call("POST", "/v1/me/second-factor/confirmation", code);
		const renewed = { headers: { cookie: cookieOf({ headers }) } };
		await perform("/v1/me/second-factor/removal", { by, ...renewed, body: { password: PASSWORD } });
	},
	"POST /v1/me/passkeys": async (on, perform) => {
		const { by, cookie, body } = await newPasskey(on);
		await perform("/v1/me/passkeys", { by, headers: { cookie }, body });
	},
	"DELETE /v1/me/passkeys/:passkeyId": async (on, perform) => {
		const { by, cookie, body } = await newPasskey(on);
		const added = await by.call("POST", "/v1/me/passkeys", { headers: { cookie }, body });
		await perform(`/v1/me/passkeys/${added.body.id}`, { by });
	},
	"DELETE /v1/me/sessions": async ({ api, owner }, perform) => {
		const by = await join(api, owner, "viewer");
		await signIn(api, by.email, PASSWORD);
		await perform("/v1/me/sessions", { by });
	},
	"DELETE /v1/me/sessions/:sessionId": async ({ api, owner }, perform) => {
		const by = await join(api, owner, "viewer");
		await signIn(api, by.email, PASSWORD);
		const { data } = (await by.call("GET", "/v1/me/sessions")).body;
		const other = data.find((one: { current: boolean }) => !one.current);
		await perform(`/v1/me/sessions/${other.id}`, { by });
	},
	"PATCH /v1/members/:userId": async ({ api, owner }, perform) => {
		const { userId } = await join(api, owner, "viewer");
		await perform(`/v1/members/${userId}`, { body: { role: "member" } });
	},
	"DELETE /v1/members/:userId": async ({ api, owner }, perform) => {
		const [removed, leaving] = [await join(api, owner, "viewer"), await join(api, owner, "viewer")];
		await perform(`/v1/members/${removed.userId}`);
		await perform(`/v1/members/${leaving.userId}`, { by: leaving });
	},
	"POST /v1/members/:userId/password-reset": async ({ api, owner }, perform) =>
		perform(`/v1/members/${(await join(api, owner, "viewer")).userId}/password-reset`),
	"PATCH /v1/organization": (_on, perform) => perform("/v1/organization", { body: { name: named("Organization") } }),
	"POST /v1/organization/deletion": async ({ owner }, perform) => {
		await owner.call("POST", "/v1/organizations", { body: { name: named("Another") } });
		const { organizationName } = (await owner.call("GET", "/v1/me")).body;
		await perform("/v1/organization/deletion", { body: { name: organizationName } });
		expect((await owner.call("DELETE", "/v1/organization/deletion")).status).toBe(204);
	},
	"DELETE /v1/organization/deletion": async ({ owner }, perform) => {
		await owner.call("POST", "/v1/organizations", { body: { name: named("Another") } });
		const { organizationName } = (await owner.call("GET", "/v1/me")).body;
		await owner.call("POST", "/v1/organization/deletion", { body: { name: organizationName } });
		await perform("/v1/organization/deletion");
	},
	"POST /v1/organization/transfer": async ({ api, owner }, perform) => {
		const heir = await join(api, owner, "admin");
		await perform("/v1/organization/transfer", { body: { userId: heir.userId } });
		// Make the owner of the other rows owner again.
		expect((await heir.call("POST", "/v1/organization/transfer", { body: { userId: owner.userId } })).status).toBe(200);
	},
	"POST /v1/organizations": (_on, perform) => perform("/v1/organizations", { body: { name: named("Another") } }),
	"POST /v1/invitations": (_on, perform) => perform("/v1/invitations", { body: { role: "viewer" } }),
	"POST /v1/invitations/accept": async ({ api, owner }, perform) => {
		const by = await join(api, owner, "viewer");
		await owner.call("DELETE", `/v1/members/${by.userId}`);
		const again = await signIn(api, by.email, PASSWORD);
		await perform("/v1/invitations/accept", { by: again, body: { token: (await invite(owner, "viewer")).token } });
	},
	"DELETE /v1/invitations/:invitationId": async ({ owner }, perform) =>
		perform(`/v1/invitations/${(await invite(owner, "viewer")).id}`),
	"POST /v1/api-keys": (_on, perform) => perform("/v1/api-keys", { body: { name: named("key") } }),
	"POST /v1/device-sign-ins/approve": async ({ api }, perform) => {
		const body = { name: named("terminal") };
		const { userCode } = (await api.call("POST", "/v1/device-sign-ins", { token: null, body })).body;
		await perform("/v1/device-sign-ins/approve", { body: { userCode, scopes: ["jobs:read"] } });
	},
	"POST /v1/device-sign-ins/key": async ({ api, owner }, perform) => {
		const body = { name: named("terminal") };
		const { userCode, deviceCode } = (await api.call("POST", "/v1/device-sign-ins", { token: null, body })).body;
		await owner.call("POST", "/v1/device-sign-ins/approve", { body: { userCode, scopes: ["jobs:read"] } });
		await perform("/v1/device-sign-ins/key", { token: null, body: { deviceCode } });
	},
	"DELETE /v1/api-keys/:apiKeyId": async ({ owner }, perform) =>
		perform(`/v1/api-keys/${await created(owner.call("POST", "/v1/api-keys", { body: { name: named("key") } }))}`),
	"POST /v1/runner-tokens": (_on, perform) => perform("/v1/runner-tokens", { body: { name: named("token") } }),
	"DELETE /v1/runner-tokens/:runnerTokenId": async ({ owner }, perform) => {
		const id = await created(owner.call("POST", "/v1/runner-tokens", { body: { name: named("token") } }));
		await perform(`/v1/runner-tokens/${id}`);
	},
	"POST /v1/runner-tokens/:runnerTokenId/rotate": async ({ owner }, perform) => {
		const id = await created(owner.call("POST", "/v1/runner-tokens", { body: { name: named("token") } }));
		await perform(`/v1/runner-tokens/${id}/rotate`);
	},
	"PATCH /v1/runners/:runnerId": async ({ api }, perform) => {
		const { runnerId } = await api.signIn(named("runner"));
		await perform(`/v1/runners/${runnerId}`, { body: { name: named("renamed") } });
	},
	"POST /v1/runners/remove": async ({ api }, perform) =>
		perform("/v1/runners/remove", { body: { runnerIds: [(await api.signIn(named("runner"))).runnerId] } }),
	"DELETE /v1/runners/:runnerId": async ({ api }, perform) =>
		perform(`/v1/runners/${(await api.signIn(named("runner"))).runnerId}`),
	"POST /mcp": async (on, perform) => {
		const runner = named("runner");
		await on.api.signIn(runner);
		const call = (name: string, args: object) => {
			const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
			return perform("/mcp", { body, headers: { accept: "application/json, text/event-stream" } });
		};
		const name = named("Audited");
		// It waits for a first frame, which never comes.
		const started = call("record_start", { name, runner, display: ":99" });
		const job = await until(async () => {
			const { data } = (await on.api.call("GET", "/v1/jobs")).body;
			return data.find((each: { name: string }) => each.name === name)?.id;
		}, "the job is created");
		await call("record_stop", { job, outcome: "passed" });
		await started;
		await call("clip", { recording: await upload(on), share: true });
	},
	"POST /v1/jobs": async (on, perform) => perform("/v1/jobs", { body: await order(on) }),
	"POST /v1/jobs/:jobId/cancel": async (on, perform) =>
		perform(`/v1/jobs/${await created(on.api.call("POST", "/v1/jobs", { body: await order(on) }))}/cancel`),
	"POST /v1/jobs/:jobId/privacy": async (on, perform) => {
		const path = `/v1/jobs/${await created(on.api.call("POST", "/v1/jobs", { body: await order(on) }))}/privacy`;
		await perform(path, { body: { on: true } });
		await perform(path, { body: { on: false } });
	},
	"POST /v1/runner/jobs": async ({ api }, perform) => {
		const { sessionId } = await api.signIn(named("runner"));
		const at = new Date().toISOString();
		const body = { sessionId, sentAt: at, at, key: named("own key"), displayId: ":99", stopCondition: "interrupt" };
		await perform("/v1/runner/jobs", { token: TEST_RUNNER_TOKEN, body });
	},
	"PATCH /v1/sessions/:sessionId": async (on, perform) => {
		const until = { stopCondition: "selenium_session", stopConditionConfig: { gridUrl: "http://grid:4444" } } as const;
		const jobId = await created(on.api.call("POST", "/v1/jobs", { body: { ...(await order(on)), ...until } }));
		const sessionId = named("session");
		await on.api.app.db
			.insertInto("recordedSession")
			.values({ organizationId: 1, jobId, sessionId, name: "v", startedAt: 1, endedAt: null, capabilities: "{}" })
			.execute();
		await perform(`/v1/sessions/${sessionId}`, { body: { outcome: "failed", message: "no total" } });
	},
	"POST /v1/test-runs": (_on, perform) => perform("/v1/test-runs", { body: { name: named("run") } }),
	"POST /v1/test-runs/:testRunId/gate": async ({ api, owner }, perform) => {
		const id = await created(api.call("POST", "/v1/test-runs", { body: { name: named("run") } }));
		const failed = { key: "a", test: named("pays"), outcome: "failed", message: "The bank has never answered" };
		const { data } = (await api.call("POST", `/v1/test-runs/${id}/tests`, { body: [failed] })).body;
		const mute = { mutedUntil: new Date(Date.now() + 86_400_000).toISOString(), reason: "TAP-7", letsPass: true };
		const body = { cause: data[0].cause, assigneeUserId: owner.userId, ...mute };
		await owner.call("PUT", "/v1/failure-triage", { body });
		await perform(`/v1/test-runs/${id}/gate`, { body: {} });
	},
	"DELETE /v1/test-runs/:testRunId": async ({ api }, perform) =>
		perform(`/v1/test-runs/${await created(api.call("POST", "/v1/test-runs", { body: { name: named("run") } }))}`),
	"DELETE /v1/attachments/:attachmentId": async ({ api }, perform) => {
		const run = await created(api.call("POST", "/v1/test-runs", { body: { name: named("run") } }));
		const raw = "output";
		const file = await created(api.call("POST", `/v1/test-runs/${run}/attachments?name=output.txt`, { raw }));
		await perform(`/v1/attachments/${file}`);
	},
	"POST /v1/recordings": ({ video }, perform) =>
		perform("/v1/recordings?name=Audited", { raw: video, headers: { "content-type": "video/mp4" } }),
	"PATCH /v1/jobs/:jobId": async (on, perform) => {
		const id = await created(on.api.call("POST", "/v1/jobs", { body: await order(on) }));
		const values = { organizationId: 1, jobId: id, name: "v", state: "ready", contentType: "video/mp4" } as const;
		const of = { uploadId: `audited-${id}`, durationSeconds: 1, bytes: 1, createdAt: 1, updatedAt: 1 };
		await on.api.app.db
			.insertInto("recording")
			.values({ ...values, ...of })
			.execute();
		const path = `/v1/jobs/${id}`;
		await perform(path, { body: { name: named("job"), outcome: "passed", keep: "failed" } });
		await perform(path, { body: { keep: "always" } });
		await perform(path, { body: { pinned: true } });
		await perform(path, { body: { pinned: false } });
	},
	"PUT /v1/recording-settings": (_on, perform) =>
		perform("/v1/recording-settings", { body: { keep: "always", graceSeconds: 60, maxDurationSeconds: null } }),
	"PATCH /v1/recordings/:recordingId": async (on, perform) => {
		const path = `/v1/recordings/${await upload(on)}`;
		await perform(path, { body: { name: named("video"), outcome: "passed", keep: "failed" } });
		await perform(path, { body: { keep: "always" } });
		await perform(path, { body: { pinned: true } });
		await perform(path, { body: { pinned: false } });
	},
	"DELETE /v1/recordings/:recordingId": async (on, perform) => perform(`/v1/recordings/${await upload(on)}`),
	"POST /v1/recordings/:recordingId/links": async (on, perform) =>
		perform(`/v1/recordings/${await upload(on)}/links`, { body: { expiresAt: null } }),
	"POST /v1/deleted-recordings/restore": async (on, perform) => {
		await deleted(on);
		await perform("/v1/deleted-recordings/restore", { body: { all: true } });
	},
	"POST /v1/recordings/unpin": async (on, perform) => {
		const id = await upload(on);
		await on.api.call("PATCH", `/v1/recordings/${id}`, { body: { pinned: true } });
		await perform("/v1/recordings/unpin", { body: { recordingIds: [id] } });
	},
	"POST /v1/deleted-recordings/:recordingId/restore": async (on, perform) =>
		perform(`/v1/deleted-recordings/${await deleted(on)}/restore`),
	"DELETE /v1/deleted-recordings/:recordingId": async (on, perform) =>
		perform(`/v1/deleted-recordings/${await deleted(on)}`),
	"DELETE /v1/recordings/:recordingId/links/:linkId": async (on, perform) => {
		const { id, linkId } = await share(on);
		await perform(`/v1/recordings/${id}/links/${linkId}`);
	},
	"POST /v1/schedules": async (on, perform) =>
		perform("/v1/schedules", { body: { everySeconds: 3_600, job: await order(on) } }),
	"PATCH /v1/schedules/:scheduleId": async (on, perform) => {
		const path = `/v1/schedules/${await schedule(on)}`;
		for (const paused of [true, false]) await perform(path, { body: { paused } });
	},
	"DELETE /v1/schedules/:scheduleId": async (on, perform) => perform(`/v1/schedules/${await schedule(on)}`),
	"POST /v1/webhooks": (_on, perform) =>
		perform("/v1/webhooks", { body: { url: "https://receiver.invalid/", events: ["job.ended"] } }),
	"PATCH /v1/webhooks/:webhookId": async (on, perform) =>
		perform(`/v1/webhooks/${await webhook(on)}`, { body: { paused: true } }),
	"DELETE /v1/webhooks/:webhookId": async (on, perform) => perform(`/v1/webhooks/${await webhook(on)}`),
	"POST /v1/webhooks/:webhookId/rotate-secret": async (on, perform) =>
		perform(`/v1/webhooks/${await webhook(on)}/rotate-secret`),
	"POST /v1/webhooks/:webhookId/test": async (on, perform) => perform(`/v1/webhooks/${await webhook(on)}/test`),
	"POST /v1/webhooks/:webhookId/deliveries/:deliveryId/resend": async (on, perform) => {
		const id = await webhook(on);
		const deliveryId = await created(on.api.call("POST", `/v1/webhooks/${id}/test`));
		await perform(`/v1/webhooks/${id}/deliveries/${deliveryId}/resend`);
	},
	"POST /v1/builds/:build/finish": async (on, perform) => {
		const build = named("build").replace(" ", "-");
		await created(on.api.call("POST", "/v1/jobs", { body: { ...(await order(on)), labels: { build } } }));
		await perform(`/v1/builds/${build}/finish`, { body: {} });
	},
	"POST /v1/views": (_on, perform) => perform("/v1/views", { body: sharedView() }),
	"PATCH /v1/views/:viewId": async ({ owner }, perform) => {
		const id = await created(owner.call("POST", "/v1/views", { body: sharedView() }));
		await perform(`/v1/views/${id}`, { body: { name: named("view") } });
	},
	"DELETE /v1/views/:viewId": async ({ owner }, perform) =>
		perform(`/v1/views/${await created(owner.call("POST", "/v1/views", { body: sharedView() }))}`),
	"POST /v1/retention/confirm-clock": async ({ api: { app } }, perform) => {
		const boot = { bootId: "an earlier one", uptimeMs: 0, jumpedAt: app.clock.now() };
		await app.db
			.insertInto("clockWatch")
			.values({ organizationId: 1, seenAt: 1, ...boot })
			.onConflict((conflict) => conflict.column("organizationId").doUpdateSet({ seenAt: 1, ...boot }))
			.execute();
		return perform("/v1/retention/confirm-clock");
	},
	"PUT /v1/retention": (_on, perform) =>
		perform("/v1/retention", { body: { maxAgeDays: 60, maxDiskPercent: null, maxBytes: null } }),
	"POST /v1/uploads": ({ video }, perform) =>
		perform("/v1/uploads", { raw: video, headers: { ...TUS, "upload-length": String(video.length) } }),
	"PATCH /v1/uploads/:uploadId": async ({ owner, video }, perform) => {
		const headers = { "tus-resumable": "1.0.0", "upload-length": String(video.length) };
		const created = await owner.call("POST", "/v1/uploads", { headers });
		const path = created.headers.get("location") ?? "";
		await perform(path, { raw: video, headers: { ...TUS, "upload-offset": "0" } });
	},
};

test("every route that declares entries has a row here, and no other route has", () => {
	expect(Object.keys(ACTS).sort()).toEqual(audited.map(nameOf).sort());
});

/** The entries of an organization, newest first, as its owner reads them. */
async function entriesOf(owner: Person, organizationId: number): Promise<AuditEntry[]> {
	return (await owner.call("GET", `/v1/audit-log?limit=100&organizationId=${organizationId}`)).body.data;
}

/** @returns a function that calls the route, and the actions of the entries that these calls have written. */
function trackAudit(on: Stage, route: DeclaredRoute) {
	const actions = new Set<string>();
	const pattern = new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/?]+")}(\\?.*)?$`);
	const perform: Perform = async (path, { by = on.owner, ...options } = {}) => {
		expect(path).toMatch(pattern);
		const before = new Set((await entriesOf(on.owner, 1)).map(({ id }) => id));
		// Callers with a token of their own, or without credentials, send no cookies.
		const answer = await (options.token === undefined ? by : on.api).call(route.method, path, {
			...options,
			headers: { origin: on.api.url, ...options.headers },
		});
		expect([answer.status, answer.body]).toEqual([expect.toSatisfy((status) => status < 300), answer.body]);
		// A new organization has its own audit log.
		const where = route.path === "/v1/organizations" ? answer.body.id : 1;
		for (const { id, action } of await entriesOf(on.owner, where)) if (!before.has(id)) actions.add(action);
		return answer;
	};
	return { perform, actions };
}

test.each(
	audited.map((route) => [nameOf(route), route] as const),
)("%s writes the entries that it declares", async (name, route) => {
	const { perform, actions } = trackAudit(stage, route);
	if (route.path !== "/v1/setup") await ACTS[name]?.(stage, perform);
	else for (const action of await setUpActions(ACTS[name] as Act, route)) actions.add(action);
	expect([...actions].sort()).toEqual([...(route.definition.audit as readonly string[])].sort());
});

/** Runs on a separate server, because the first account can be created only once. */
async function setUpActions(act: Act, route: DeclaredRoute): Promise<string[]> {
	const empty = { TAPEDECK_BOOTSTRAP_EMAIL: "", TAPEDECK_BOOTSTRAP_API_KEY: "", TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: "" };
	const api = await startTestApi({ ...empty, TAPEDECK_BOOTSTRAP_PASSWORD: "" });
	try {
		let cookie = "";
		await act({ ...stage, api }, async (path, options = {}) => {
			const answer = await api.call(route.method, path, { ...options, headers: { origin: api.url } });
			expect(answer.status).toBe(201);
			cookie = cookieOf(answer);
			return answer;
		});
		const { data } = (await api.call("GET", "/v1/audit-log", { token: null, headers: { cookie } })).body;
		return data.map(({ action }: AuditEntry) => action);
	} finally {
		await api.stop();
		// Route modules are shared by the process and use the server that was started last.
		setAppContext(stage.api.app);
	}
}
