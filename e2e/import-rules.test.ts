/** The import rules of ARCHITECTURE.md: for each folder, imports that the linter has to allow and to refuse. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** For a file of each folder: what it may import, and what it must not. */
const rules: { file: string; allowed: string[]; forbidden: string[] }[] = [
	{
		file: "lib/contract/x.ts",
		allowed: ["zod", "./page.ts"],
		forbidden: ["node:fs", "../db/schema.ts", "#lib/core/context.ts", "kysely", "react", "#runner/config/config.ts"],
	},
	{
		file: "lib/media/x.ts",
		allowed: ["node:fs", "node:fs/promises", "./y.ts"],
		forbidden: ["zod", "#lib/contract/job.ts", "../contract/job.ts", "#lib/jobs/y.ts", "@tus/server"],
	},
	{
		file: "lib/db/x.ts",
		allowed: ["kysely", "pg", "node:sqlite", "#lib/contract/job.ts"],
		forbidden: ["../core/context.ts", "#test/stack.ts", "#lib/jobs/y.ts", "next/server", "pino"],
	},
	{
		file: "lib/core/x.ts",
		allowed: ["kysely", "#lib/db/schema.ts", "#lib/contract/job.ts"],
		forbidden: ["../server/env.ts", "#lib/jobs/y.ts", "next"],
	},
	{
		file: "lib/access/x.ts",
		allowed: ["#lib/contract/permissions.ts", "#lib/core/context.ts", "./y.ts"],
		forbidden: ["#lib/auth/y.ts", "#lib/db/schema.ts", "#lib/server/route.ts"],
	},
	{
		file: "lib/audit/x.ts",
		allowed: ["#lib/access/y.ts", "#lib/core/context.ts", "#lib/db/schema.ts", "kysely"],
		forbidden: ["#lib/auth/y.ts", "#lib/jobs/y.ts", "#lib/server/route.ts"],
	},
	{
		file: "lib/lifecycle/x.ts",
		allowed: ["kysely", "#lib/core/context.ts", "#lib/contract/job.ts", "#lib/db/schema.ts", "./y.ts"],
		forbidden: [
			"#lib/jobs/y.ts",
			"#lib/recordings/y.ts",
			"#lib/runners/y.ts",
			"#lib/media/y.ts",
			"#lib/server/route.ts",
		],
	},
	{
		file: "lib/jobs/x.ts",
		allowed: ["kysely", "#lib/lifecycle/y.ts", "#lib/contract/job.ts", "#lib/db/schema.ts", "./y.ts"],
		forbidden: ["#lib/runners/y.ts", "../recordings/y.ts", "#lib/media/y.ts", "#lib/server/route.ts", "#lib/auth/y.ts"],
	},
	{
		file: "lib/objects/x.ts",
		allowed: ["@aws-sdk/client-s3", "node:stream", "#lib/core/errors.ts", "./y.ts"],
		forbidden: ["#lib/recordings/y.ts", "#lib/db/schema.ts", "kysely", "#lib/server/env.ts"],
	},
	{
		file: "lib/runners/x.ts",
		allowed: ["#lib/jobs/y.ts", "#lib/core/context.ts"],
		forbidden: ["#lib/recordings/y.ts", "#lib/media/y.ts", "#lib/server/route.ts", "#runner/config/config.ts"],
	},
	{
		file: "lib/recordings/x.ts",
		allowed: ["#lib/lifecycle/y.ts", "#lib/media/y.ts", "@tus/server"],
		forbidden: ["#lib/jobs/y.ts", "#lib/runners/y.ts", "#lib/server/route.ts", "next/headers"],
	},
	{
		file: "lib/recordings/upload/x.ts",
		allowed: [
			"../share-links.ts",
			"../space/y.ts",
			"#lib/lifecycle/y.ts",
			"#lib/media/y.ts",
			"@tus/server",
			"client-zip",
		],
		forbidden: ["../../media/y.ts", "#lib/jobs/y.ts", "#lib/server/route.ts"],
	},
	{
		file: "lib/auth/x.ts",
		allowed: ["better-auth", "better-auth/plugins", "#lib/audit/y.ts", "#lib/core/context.ts"],
		forbidden: ["#lib/jobs/y.ts", "#lib/server/route.ts", "better-auth-x", "next/headers"],
	},
	{
		file: "lib/server/x.ts",
		allowed: ["#lib/jobs/y.ts", "#lib/media/y.ts", "pino", "@hono/node-server", "./route.ts"],
		forbidden: ["next/server", "next", "server-only", "react", "./y.tsx", "#components/ui/y.ts", "./page-context.ts"],
	},
	{
		file: "lib/server/page-context.ts",
		allowed: ["next/headers", "react", "server-only", "#lib/jobs/y.ts"],
		forbidden: ["#components/ui/y.ts", "./y.tsx"],
	},
	{
		file: "lib/client/x.ts",
		allowed: ["react", "@tanstack/react-query", "#lib/contract/job.ts"],
		forbidden: ["#lib/core/context.ts", "../server/env.ts", "node:fs", "next/navigation"],
	},
	{
		file: "lib/client/live/x.ts",
		allowed: ["react", "../api.ts", "#lib/contract/job.ts"],
		forbidden: ["#lib/core/context.ts", "../../core/context.ts", "node:fs"],
	},
	{
		file: "components/jobs/x.tsx",
		allowed: [
			"#lib/client/y.ts",
			"#lib/contract/job.ts",
			"#components/ui/y.tsx",
			"../ui/y.tsx",
			"next/navigation",
			"react",
		],
		forbidden: [
			"#lib/server/page-context.ts",
			"#lib/jobs/y.ts",
			"../../lib/jobs/y.ts",
			"kysely",
			"next/headers",
			"next/link",
		],
	},
	{
		file: "components/ui/x.tsx",
		allowed: ["react", "@radix-ui/react-dialog", "clsx", "./y.tsx"],
		forbidden: ["#lib/client/y.ts", "#lib/contract/job.ts", "../jobs/y.tsx", "#components/jobs/y.tsx"],
	},
	{
		file: "app/(dashboard)/jobs/page.tsx",
		allowed: ["#components/jobs/y.tsx", "#lib/client/y.ts", "#lib/server/page-context.ts", "next/navigation"],
		forbidden: ["#lib/server/env.ts", "#lib/jobs/y.ts", "#lib/db/schema.ts", "../../../lib/jobs/y.ts", "#runner/y.ts"],
	},
	{
		file: "app/v1/jobs/route.ts",
		allowed: ["#lib/server/route.ts", "#lib/jobs/y.ts", "#lib/contract/job.ts", "zod"],
		forbidden: [
			"next/server",
			"next/headers",
			"server-only",
			"./y.tsx",
			"#lib/server/page-context.ts",
			"#lib/db/schema.ts",
		],
	},
	{
		file: "app/v1/events/stream.ts",
		allowed: ["#lib/server/stream.ts", "#lib/recordings/y.ts", "#lib/contract/job.ts", "zod"],
		forbidden: [
			"next/server",
			"next/headers",
			"server-only",
			"./y.tsx",
			"#lib/server/page-context.ts",
			"#lib/db/schema.ts",
		],
	},
	{
		file: "runner/x.ts",
		allowed: ["#lib/contract/job.ts", "node:child_process", "./y.ts"],
		forbidden: ["#lib/server/env.ts", "../lib/core/context.ts", "#test/stack.ts", "next", "react", "kysely"],
	},
	{
		file: "runner/base/x.ts",
		allowed: ["#lib/contract/job.ts", "node:fs", "./y.ts"],
		forbidden: ["../spool/y.ts", "../displays/y.ts", "#runner/config/config.ts", "#lib/core/context.ts"],
	},
	{
		file: "runner/spool/x.ts",
		allowed: ["../base/y.ts", "zod"],
		forbidden: ["../displays/y.ts", "../dashboard/y.ts", "../capture/y.ts"],
	},
	{
		file: "runner/displays/x.ts",
		allowed: ["../base/y.ts"],
		forbidden: ["../spool/y.ts", "../dashboard/y.ts", "../grid/y.ts"],
	},
	{
		file: "runner/dashboard/x.ts",
		allowed: ["../base/y.ts", "../spool/y.ts", "../displays/y.ts"],
		forbidden: ["../video/y.ts", "../control/y.ts", "../capture/y.ts", "../stop-conditions/y.ts"],
	},
	{
		file: "runner/video/x.ts",
		allowed: ["../base/y.ts", "../spool/y.ts", "#lib/media/mp4-boxes.ts"],
		forbidden: ["../dashboard/y.ts", "../capture/y.ts", "#lib/media/http-range.ts", "#lib/core/context.ts"],
	},
	{
		file: "runner/grid/x.ts",
		allowed: ["../dashboard/http.ts", "../base/y.ts"],
		forbidden: ["../stop-conditions/y.ts", "../config/y.ts", "../capture/y.ts"],
	},
	{
		file: "runner/stop-conditions/x.ts",
		allowed: ["#lib/contract/job.ts", "../grid/y.ts", "../spool/y.ts"],
		forbidden: [
			...["../config/y.ts", "../capture/y.ts", "#runner/config/config.ts", "../run-job.ts", "#lib/server/env.ts"],
			...["../../lib/core/context.ts", "../../lib/contract/job.ts", "next"],
		],
	},
	{
		file: "runner/config/x.ts",
		allowed: ["../displays/y.ts", "../grid/y.ts"],
		forbidden: ["../stop-conditions/y.ts", "../capture/y.ts", "../run-job.ts"],
	},
	{
		file: "runner/capture/x.ts",
		allowed: ["../config/y.ts", "../stop-conditions/y.ts", "../video/y.ts", "../dashboard/y.ts"],
		forbidden: ["../upload/y.ts", "../doctor/y.ts", "../run-job.ts", "#lib/media/mp4-boxes.ts"],
	},
	{
		file: "runner/upload/x.ts",
		allowed: ["../capture/y.ts", "../video/y.ts", "../spool/y.ts"],
		forbidden: ["../doctor/y.ts", "../run-job.ts", "../control/y.ts"],
	},
	{
		file: "runner/doctor/x.ts",
		allowed: ["../capture/y.ts", "../dashboard/y.ts"],
		forbidden: ["../upload/y.ts", "../control/y.ts", "../commands/y.ts"],
	},
	{
		file: "runner/run-job.ts",
		allowed: ["./upload/y.ts", "./capture/y.ts", "./base/y.ts"],
		forbidden: ["./agent.ts", "./job-runs.ts", "./auto-record.ts", "./control/y.ts", "./commands/y.ts"],
	},
	{
		file: "runner/control/x.ts",
		allowed: ["../run-job.ts", "../spool/y.ts"],
		forbidden: ["../auto-record.ts", "../job-runs.ts", "../agent.ts", "../commands/y.ts"],
	},
	{
		file: "runner/auto-record.ts",
		allowed: ["./run-job.ts", "./grid/y.ts"],
		forbidden: ["./control/y.ts", "./job-runs.ts", "./agent.ts"],
	},
	{
		file: "runner/job-runs.ts",
		allowed: ["./run-job.ts", "./control/y.ts"],
		forbidden: ["./agent.ts", "./set-aside.ts", "./commands/y.ts", "./cli.ts"],
	},
	{
		file: "runner/set-aside.ts",
		allowed: ["./job-runs.ts", "./run-job.ts"],
		forbidden: ["./agent.ts", "./commands/y.ts", "./cli.ts"],
	},
	{
		file: "runner/agent.ts",
		allowed: ["./set-aside.ts", "./job-runs.ts", "./auto-record.ts", "./control/y.ts"],
		forbidden: ["./commands/y.ts", "./cli.ts"],
	},
	{
		file: "runner/commands/x.ts",
		allowed: [
			...["../agent.ts", "../control/y.ts", "../doctor/y.ts"],
			...["#clients/typescript/src/ci-labels.ts", "#clients/typescript/src/index.ts", "commander"],
		],
		forbidden: ["../cli.ts", "#lib/core/context.ts", "../../lib/contract/job.ts", "#clients/typescript/src/http.ts"],
	},
	{
		file: "runner/commands/api/x.ts",
		allowed: [
			...["../command.ts", "../define-command.ts", "../../config/y.ts", "#lib/contract/job.ts", "./y.ts"],
			...["#clients/typescript/src/index.ts", "#clients/typescript/src/chunks.ts"],
		],
		forbidden: [
			"#clients/typescript/src/http.ts",
			"../../control/y.ts",
			"../../agent.ts",
			"../find-runner.ts",
			"#lib/core/context.ts",
			"../../spool/y.ts",
		],
	},
	{
		file: "action/x.mjs",
		allowed: ["node:fs", "node:timers/promises", "./y.mjs"],
		forbidden: ["zod", "../bin/setup/y.mjs", "#lib/contract/job.ts"],
	},
	{
		file: "bin/setup/x.mjs",
		allowed: ["node:fs", "./y.mjs", "../y.mjs"],
		forbidden: ["zod", "#lib/contract/job.ts", "pg"],
	},
	{ file: "lib/contract/x.test.ts", allowed: ["vitest", "#lib/server/env.ts", "node:fs"], forbidden: [] },
	{
		file: "clients/playwright/src/x.ts",
		allowed: ["./y.ts", "node:os", "@tapedeck/client", "playwright/types/testReporter"],
		forbidden: ["playwright", "zod", "#lib/contract/job.ts", "../../typescript/src/index.ts"],
	},
	{
		file: "clients/typescript/src/x.ts",
		allowed: ["./y.ts"],
		forbidden: ["node:fs", "../generate-types.ts", "zod", "#lib/contract/job.ts", "../../../lib/contract/job.ts"],
	},
	{
		file: "e2e/x.spec.ts",
		allowed: ["playwright/test", "#runner/config/config.ts", "#lib/server/env.ts"],
		forbidden: [],
	},
];

let folder: string;
/** `file import` of every import that the linter refused. */
const refused = new Set<string>();

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-imports-"));
	for (const name of ["biome.json", "package.json", ".gitignore"]) await copyFile(join(root, name), join(folder, name));
	for (const { file, allowed, forbidden } of rules) {
		await mkdir(dirname(join(folder, file)), { recursive: true });
		await writeFile(
			join(folder, file),
			[...allowed, ...forbidden].map((from) => `import ${JSON.stringify(from)};\n`).join(""),
		);
	}
	const report = await new Promise<string>((resolve) => {
		const biome = join(root, "node_modules/.bin/biome");
		const args = ["lint", "--reporter=json", "--max-diagnostics=none", "."];
		execFile(biome, args, { cwd: folder, maxBuffer: 1e8 }, (_error, stdout) => resolve(stdout));
	});
	const { diagnostics } = JSON.parse(report) as {
		diagnostics: { category: string; location: { path: string; start: { line: number } } }[];
	};
	for (const { category, location } of diagnostics) {
		if (category !== "lint/style/noRestrictedImports") continue;
		const rule = rules.find(({ file }) => location.path === file);
		refused.add(`${location.path} ${rule && [...rule.allowed, ...rule.forbidden][location.start.line - 1]}`);
	}
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(rules)("$file may import what its folder may, and nothing else", ({ file, allowed, forbidden }) => {
	expect(allowed.filter((from) => refused.has(`${file} ${from}`))).toEqual([]);
	expect(forbidden.filter((from) => !refused.has(`${file} ${from}`))).toEqual([]);
});
