import { execFileSync } from "node:child_process";
import type { Job } from "@tapedeck/contract/job.ts";
import { expect, test } from "vitest";
import { curlOf, curlOfJob } from "./curl.ts";

/** The arguments that a shell passes to `curl`. */
function argumentsIn(command: string, env: Record<string, string>): string[] {
	const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
	return execFileSync("/bin/sh", ["-c", script], { env: env as NodeJS.ProcessEnv, encoding: "utf8" })
		.split("\0")
		.slice(0, -1);
}

const env = { TAPEDECK_API_KEY: "tdk_x", GRID_PASSWORD: "it's $ecret" };

test("a shell sends exactly the body, even if the name contains quotes and dollar signs", () => {
	const body = {
		runnerId: 1,
		displayId: ":99",
		name: `Bob's "new" $HOME \\ \`run\``,
		stopCondition: "duration" as const,
		stopConditionConfig: { durationSeconds: 30 },
	};
	const sent = argumentsIn(curlOf("http://localhost:3000", body), env);
	expect(sent).toContain("http://localhost:3000/v1/jobs");
	expect(sent).toContain("Authorization: Bearer tdk_x");
	expect(JSON.parse(sent.at(-1) ?? "")).toEqual(body);
});

test("the grid password is never in the command; it comes from a shell variable", () => {
	const body = {
		runnerId: 1,
		displayId: ":99",
		stopCondition: "selenium_idle" as const,
		stopConditionConfig: { gridUrl: "http://grid:4444", gridUsername: "ada", gridPassword: "hunter2" },
	};
	const command = curlOf("http://localhost:3000", body);
	expect(command).not.toContain("hunter2");
	expect(argumentsIn(command, { ...env, GRID_PASSWORD: "from-the-shell" }).at(-1)).toBe(
		JSON.stringify({ ...body, stopConditionConfig: { ...body.stopConditionConfig, gridPassword: "from-the-shell" } }),
	);
});

test("the command that repeats a job has its labels, its keep policy, its cap and what it asks of the video and of the past", () => {
	const job = {
		...{ name: "Nightly", runnerId: 3, displayId: ":99", labels: { build: "it's 1" }, keep: "failed" },
		...{ maxDurationSeconds: 600, video: { preset: "sharp" }, preSeconds: 45 },
		...{ stopCondition: "interrupt", stopConditionConfig: {} },
	};
	const asked = (like: object) =>
		JSON.parse(argumentsIn(curlOfJob("http://localhost", like as unknown as Job), env).at(-1) ?? "");
	expect(asked({ ...job, selector: null })).toEqual(job);
	const { runnerId, displayId, ...rest } = job;
	const selector = { labels: { pool: "linux" }, display: "any" };
	expect(asked({ ...job, selector })).toEqual({ ...rest, selector });
	const timed = { ...job, selector: null, stopCondition: "duration", stopConditionConfig: { durationSeconds: 5 } };
	expect(asked(timed)).not.toHaveProperty("maxDurationSeconds");
});

test("the command that repeats a job asks for the grid password only if the grid needs one", () => {
	const job = {
		...{
			name: "Nightly",
			runnerId: 3,
			displayId: ":99",
			labels: {},
			keep: "always",
			maxDurationSeconds: null,
			video: {},
		},
		stopCondition: "selenium_idle",
		stopConditionConfig: { gridUrl: "http://grid:4444", gridUsername: "ada" },
	} as Job;
	expect(curlOfJob("http://localhost", job)).toContain("$GRID_PASSWORD");
	const open = { ...job, stopConditionConfig: { gridUrl: "http://grid:4444" } } as Job;
	expect(curlOfJob("http://localhost", open)).not.toContain("GRID_PASSWORD");
});
