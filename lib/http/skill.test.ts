import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "#test/api-server.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

test("the index of skills names the skill that is served, with the digest of its bytes", async () => {
	const { status, body } = await api.call("GET", "/.well-known/agent-skills/index.json", { token: null });
	expect(status).toBe(200);
	const skill = await api.call("GET", "/skill.md", { token: null });
	expect(skill.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
	const digest = `sha256:${createHash("sha256").update(skill.body).digest("hex")}`;
	expect(body).toEqual({
		$schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
		skills: [{ name: "tapedeck", type: "skill-md", url: "/skill.md", digest, description: expect.any(String) }],
	});
	// Limits of the format.
	expect(body.skills[0].description).toMatch(/Use when /);
	expect(body.skills[0].description.length).toBeLessThanOrEqual(1_024);
	expect(skill.body.split("\n").length).toBeLessThan(500);
});
