/** The doors of ARCHITECTURE.md, one by one: each rule is broken and kept on purpose, and the linter judges. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** file of a room -> what it may import, and what it must not. */
const doors: { file: string; open: string[]; shut: string[] }[] = [
	{
		file: "lib/contract/x.ts",
		open: ["zod", "./page.ts"],
		shut: ["node:fs", "../db/schema.ts", "#lib/core/context.ts", "kysely", "react", "#runner/config.ts"],
	},
	{
		file: "lib/media/x.ts",
		open: ["node:fs", "node:fs/promises", "./y.ts"],
		shut: ["zod", "#lib/contract/job.ts", "../contract/job.ts", "#lib/jobs/y.ts", "@tus/server"],
	},
	{
		file: "lib/db/x.ts",
		open: ["kysely", "pg", "node:sqlite", "../contract/job.ts", "#lib/contract/job.ts"],
		shut: ["../core/context.ts", "#lib/jobs/y.ts", "next/server", "pino"],
	},
	{
		file: "lib/core/x.ts",
		open: ["kysely", "../db/schema.ts", "../contract/job.ts"],
		shut: ["../server/env.ts", "#lib/jobs/y.ts", "next"],
	},
	{
		file: "lib/jobs/x.ts",
		open: ["kysely", "#lib/core/context.ts", "#lib/contract/job.ts", "#lib/db/schema.ts", "./y.ts"],
		shut: ["#lib/runners/y.ts", "../recordings/y.ts", "#lib/media/y.ts", "#lib/server/route.ts", "#lib/auth/y.ts"],
	},
	{
		file: "lib/runners/x.ts",
		open: ["#lib/jobs/y.ts", "#lib/core/context.ts"],
		shut: ["#lib/recordings/y.ts", "#lib/media/y.ts", "#lib/server/route.ts", "#runner/config.ts"],
	},
	{
		file: "lib/recordings/x.ts",
		open: ["#lib/jobs/y.ts", "#lib/media/y.ts", "@tus/server"],
		shut: ["#lib/runners/y.ts", "#lib/server/route.ts", "next/headers"],
	},
	{
		file: "lib/auth/x.ts",
		open: ["better-auth", "better-auth/plugins", "#lib/core/context.ts"],
		shut: ["#lib/jobs/y.ts", "#lib/server/route.ts", "better-auth-x", "next/headers"],
	},
	{
		file: "lib/server/x.ts",
		open: ["#lib/jobs/y.ts", "../media/y.ts", "pino", "@hono/node-server", "./route.ts"],
		shut: ["next/server", "next", "server-only", "react", "./y.tsx", "#components/ui/y.ts", "./page-context.ts"],
	},
	{
		file: "lib/server/page-context.ts",
		open: ["next/headers", "react", "server-only", "#lib/jobs/y.ts"],
		shut: ["#components/ui/y.ts", "./y.tsx"],
	},
	{
		file: "lib/client/x.ts",
		open: ["react", "@tanstack/react-query", "#lib/contract/job.ts"],
		shut: ["#lib/core/context.ts", "../server/env.ts", "node:fs", "next/navigation"],
	},
	{
		file: "components/jobs/x.tsx",
		open: [
			"#lib/client/y.ts",
			"#lib/contract/job.ts",
			"#components/ui/y.tsx",
			"../ui/y.tsx",
			"next/navigation",
			"react",
		],
		shut: [
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
		open: ["react", "@radix-ui/react-dialog", "clsx", "./y.tsx"],
		shut: ["#lib/client/y.ts", "#lib/contract/job.ts", "../jobs/y.tsx", "#components/jobs/y.tsx"],
	},
	{
		file: "app/(dashboard)/jobs/page.tsx",
		open: ["#components/jobs/y.tsx", "#lib/client/y.ts", "#lib/server/page-context.ts", "next/navigation"],
		shut: ["#lib/server/env.ts", "#lib/jobs/y.ts", "#lib/db/schema.ts", "../../../lib/jobs/y.ts", "#runner/y.ts"],
	},
	{
		file: "app/v1/jobs/route.ts",
		open: ["#lib/server/route.ts", "#lib/jobs/y.ts", "#lib/contract/job.ts", "zod"],
		shut: ["next/server", "next/headers", "server-only", "./y.tsx", "#lib/server/page-context.ts", "#lib/db/schema.ts"],
	},
	{
		file: "runner/x.ts",
		open: ["#lib/contract/job.ts", "node:child_process", "./y.ts"],
		shut: ["#lib/server/env.ts", "../lib/core/context.ts", "next", "react", "kysely"],
	},
	{
		file: "runner/stop-conditions/x.ts",
		open: ["#lib/contract/job.ts", "../config.ts", "#runner/config.ts"],
		shut: ["#lib/server/env.ts", "../../lib/core/context.ts", "../../lib/contract/job.ts", "next"],
	},
	{ file: "bin/setup/x.mjs", open: ["node:fs", "./y.mjs", "../y.mjs"], shut: ["zod", "#lib/contract/job.ts", "pg"] },
	{ file: "lib/contract/x.test.ts", open: ["vitest", "#lib/server/env.ts", "node:fs"], shut: [] },
	{ file: "e2e/x.spec.ts", open: ["playwright/test", "#runner/config.ts", "#lib/server/env.ts"], shut: [] },
];

let folder: string;
/** `file import` of every import that the linter refused. */
const refused = new Set<string>();

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-doors-"));
	for (const name of ["biome.json", "package.json", ".gitignore"]) await copyFile(join(root, name), join(folder, name));
	for (const { file, open, shut } of doors) {
		await mkdir(dirname(join(folder, file)), { recursive: true });
		await writeFile(join(folder, file), [...open, ...shut].map((from) => `import ${JSON.stringify(from)};\n`).join(""));
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
		const door = doors.find(({ file }) => location.path === file);
		refused.add(`${location.path} ${door && [...door.open, ...door.shut][location.start.line - 1]}`);
	}
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(doors)("$file may import what its room is told, and nothing else", ({ file, open, shut }) => {
	expect(open.filter((from) => refused.has(`${file} ${from}`))).toEqual([]);
	expect(shut.filter((from) => !refused.has(`${file} ${from}`))).toEqual([]);
});
