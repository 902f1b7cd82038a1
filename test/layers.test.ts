import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allowedBy, DOORS, entered, FREE, LAYERS, rowOf } from "./layers.ts";
import { importsOf, projectFiles } from "./reach.ts";
import { root } from "./stack.ts";

async function product(): Promise<{ file: string; imports: string[] }[]> {
	const files = projectFiles().filter((file) => /\.(tsx?|mjs)$/.test(file) && !FREE.test(file));
	return Promise.all(
		files.map(async (file) => ({ file, imports: importsOf(await readFile(join(root, file), "utf8")) })),
	);
}

test("every file of the product imports only what the row of its folder allows", async () => {
	const files = await product();
	expect(files.filter(({ file }) => rowOf(file) === undefined)).toEqual([]);
	const wrong = files.flatMap(({ file, imports }) =>
		imports.filter((each) => allowedBy(file, each) === undefined).map((each) => `${file} must not import ${each}`),
	);
	expect(wrong).toEqual([]);
	// The expressions above find what there is.
	expect(files.filter(({ imports }) => imports.length === 0).length).toBeLessThan(files.length / 4);
});

test("every row has files, and allows nothing that none of them needs", async () => {
	const files = await product();
	const used = new Set(
		files.flatMap(({ file, imports }) => imports.map((each) => `${rowOf(file)} may import ${allowedBy(file, each)}`)),
	);
	expect(LAYERS.filter(({ path }) => !files.some(({ file }) => rowOf(file) === path))).toEqual([]);
	// A layer of the runner may import everything below it, whether it needs it or not.
	const named = LAYERS.filter(({ path }) => !path.startsWith("runner/"));
	const unused = named.flatMap(({ path, may }) => may.map((place) => `${path} may import ${place}`));
	expect(unused.filter((line) => !used.has(line))).toEqual([]);
});

test("a folder with doors is entered by them alone, and each of them is used", async () => {
	const files = await product();
	const all = files.flatMap(({ file, imports }) =>
		imports.flatMap((each) => entered(file, each).map((entry) => ({ ...entry, by: file }))),
	);
	expect(all.filter(({ isDoor }) => !isDoor).map(({ file, by }) => `${by} must not import ${file}`)).toEqual([]);
	const used = new Set(all.map(({ file }) => file.replace(/\.tsx?$/, "")));
	expect([...DOORS.values()].flat().filter((door) => !used.has(door))).toEqual([]);
});

test.each([
	["contract/x.ts", "node:fs"],
	["media/x.ts", "@tapedeck/contract/job.ts"],
	["lib/db/migrations/x.ts", "#lib/core/context.ts"],
	["lib/jobs/x.ts", "#lib/runners/y.ts"],
	["lib/server/x.ts", "next/headers"],
	["lib/server/x.ts", "./page-context.ts"],
	["lib/server/x.ts", "#components/ui/y.tsx"],
	["lib/client/live/x.ts", "../../core/context.ts"],
	["components/jobs/x.tsx", "#lib/jobs/y.ts"],
	["components/jobs/x.tsx", "next/link"],
	["components/ui/x.tsx", "#components/jobs/y.tsx"],
	["components/ui/x.tsx", "#lib/client/jobs.ts"],
	["app/(dashboard)/jobs/page.tsx", "#lib/server/env.ts"],
	["app/v1/jobs/route.ts", "next/server"],
	["app/v1/jobs/route.ts", "#lib/server/page-context.ts"],
	["app/v1/jobs/route.ts", "#lib/db/schema.ts"],
	["runner/base/x.ts", "../spool/y.ts"],
	["runner/spool/x.ts", "../displays/y.ts"],
	["runner/video/x.ts", "#lib/core/context.ts"],
	["runner/stop-conditions/x.ts", "../../contract/job.ts"],
	["runner/commands/api/x.ts", "../../control/y.ts"],
	["runner/commands/x.ts", "@tapedeck/client-source/http.ts"],
	["runner/commands/x.ts", "../../clients/typescript/src/index.ts"],
	["clients/typescript/src/x.ts", "node:fs"],
	["clients/playwright/src/x.ts", "../../typescript/src/index.ts"],
	["bin/setup/x.mjs", "zod"],
])("%s must not import %s", (file, imported) => {
	expect(allowedBy(file, imported)).toBeUndefined();
});

test.each([
	["lib/core/x.ts", "#lib/db/wal-sync.ts", false],
	["lib/core/x.ts", "#lib/db/schema.ts", true],
	["lib/recordings/x.ts", "./upload/file-io.ts", false],
	["app/v1/openapi/route.ts", "#lib/http/openapi/schemas.ts", false],
])("%s imports %s: %s", (file, imported, isDoor) => {
	expect(entered(file, imported).every((entry) => entry.isDoor)).toBe(isDoor);
});
