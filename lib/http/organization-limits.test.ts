/** Retention, quotas and rates: by variable for all organizations, by variable for one of them, and by API key. */
import type { Scope } from "@tapedeck/contract/permissions.ts";
import { expect, onTestFinished, test } from "vitest";
import { readEnv } from "#lib/server/env.ts";
import { signIn } from "#test/api-people.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

async function start(variables: Record<string, string>): Promise<TestApi> {
	const api = await startTestApi(variables);
	onTestFinished(() => api.stop());
	return api;
}

test("a limit can have another value for some organizations", () => {
	const { limits, quotas } = readEnv({
		TAPEDECK_LIMIT_CALLS: "1000, 7=600, 8=0",
		TAPEDECK_LIMIT_STREAMS: "7=5",
		TAPEDECK_LIMIT_ORGANIZATION_GB: "0,7=0.5",
		TAPEDECK_LIMIT_UPLOAD_MB: "100,9=1",
	});
	expect(limits).toMatchObject({ callsPerMinute: 1_000, openStreams: 100 });
	expect(limits.byOrganization).toEqual(
		new Map([
			[7, { callsPerMinute: 600, openStreams: 5 }],
			[8, { callsPerMinute: 0 }],
		]),
	);
	expect(quotas).toMatchObject({ organizationBytes: 0, uploadBytes: 100e6, queuedJobs: 1_000 });
	expect(quotas.byOrganization).toEqual(
		new Map([
			[7, { organizationBytes: 0.5e9 }],
			[9, { uploadBytes: 1e6 }],
		]),
	);
	for (const wrong of ["x", "7=", "=5", "1,2", "7=600,1000", "7=6=6", "-1"]) {
		expect(() => readEnv({ TAPEDECK_LIMIT_CALLS: wrong }), wrong).toThrow(
			"TAPEDECK_LIMIT_CALLS must be a whole number",
		);
	}
	expect(() => readEnv({ TAPEDECK_LIMIT_CALLS: "0.5" })).toThrow();
});

test("an organization's own rate applies to its callers, and not to others'", async () => {
	const statuses = async (limit: string) => {
		const api = await startTestApi({ TAPEDECK_LIMIT_CALLS: limit });
		const found = [];
		for (let call = 0; call < 4; call++) found.push((await api.call("GET", "/v1/jobs")).status);
		await api.stop();
		return found;
	};
	expect(await statuses("1000,1=2")).toEqual([200, 200, 429, 429]);
	expect(await statuses("2,1=1000")).toEqual([200, 200, 200, 200]);
	expect(await statuses("1000,2=2")).toEqual([200, 200, 200, 200]);
});

test("an organization's own quota refuses what does not fit, and its pages say it", async () => {
	const api = await start({ TAPEDECK_LIMIT_ORGANIZATION_GB: "500,1=0.004" });
	expect((await api.call("GET", "/v1/storage")).body).toMatchObject({ state: "ok", quotaBytes: 4e6 });
	const headers = { "content-type": "video/mp4" };
	const raw = await makeExternalVideo({ bytes: 6e6 });
	expect((await api.call("POST", "/v1/recordings?name=Large", { headers, raw })).status).toBe(507);
});

test("retention can be set by variable, for organizations that have set none, and by a key with the scope", async () => {
	const api = await start({
		TAPEDECK_RETENTION_DAYS: "7",
		TAPEDECK_RETENTION_DISK_PERCENT: "0",
		TAPEDECK_RETENTION_GB: "2.5",
	});
	const read = async () => (await api.call("GET", "/v1/retention")).body;
	expect(await read()).toMatchObject({ maxAgeDays: 7, maxDiskPercent: null, maxBytes: 2.5e9, trashHours: 24 });
	const owner = await signIn(api);
	const keyWith = async (scopes: Scope[]) =>
		(await owner.call("POST", "/v1/api-keys", { body: { name: scopes.join(), scopes } })).body.secret as string;
	const body = { maxAgeDays: 3, maxDiskPercent: 90, maxBytes: null };
	const set = async (scopes: Scope[]) => api.call("PUT", "/v1/retention", { token: await keyWith(scopes), body });
	expect((await set(["recordings:write", "runners:write"])).status).toBe(403);
	expect((await set(["settings:write"])).status).toBe(200);
	expect(await read()).toMatchObject({ maxAgeDays: 3, maxDiskPercent: 90, maxBytes: null });
	const entries = (await owner.call("GET", "/v1/audit-log?action=retention.changed")).body.data;
	expect(entries).toMatchObject([{ actor: { kind: "apiKey", name: "settings:write" } }]);
	const settings = { keep: "failed", graceSeconds: 60, maxDurationSeconds: null };
	const changed = await api.call("PUT", "/v1/recording-settings", {
		token: await keyWith(["settings:write"]),
		body: settings,
	});
	expect([changed.status, changed.body]).toEqual([200, { ...settings, commitUrlTemplate: null, video: {} }]);
});
