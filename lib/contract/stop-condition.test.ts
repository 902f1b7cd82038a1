import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "tapedeck-stop-condition-"));
afterAll(() => rmSync(copy, { recursive: true }));

/**
 * Where a new stop condition needs code besides its schemas. ARCHITECTURE.md relies on the compiler to list these
 * places.
 */
const PLACES = [
	"components/jobs/create/job-form.ts CONFIG_MESSAGES",
	"components/jobs/create/job-form.ts EMPTY_JOB_FORM",
	"components/jobs/create/job-form.ts configOf",
	"components/jobs/create/stop-condition-fields.tsx ConfigFields",
	"components/jobs/create/stop-condition-fields.tsx HINTS",
	"components/jobs/drawer/job-configuration.tsx ConditionDetails",
	"components/jobs/job-labels.ts STOP_CONDITION_LABELS",
	"components/jobs/list/job-condition.tsx conditionDetail",
	"lib/lifecycle/stop-rule.ts openStopRule",
	"lib/lifecycle/stop-rule.ts stopRuleColumns",
	"runner/spool/spool.ts withoutSecrets",
	"runner/stop-conditions/condition-of.ts conditionOf",
];

/** @returns the declarations with type errors in a copy of the production code, as `file name`. */
function declarationsWithErrors(): string[] {
	const tsc = join(root, "node_modules/.bin/tsc");
	const output = (() => {
		try {
			return execFileSync(tsc, ["--noEmit", "--pretty", "false", "-p", "."], { cwd: copy, encoding: "utf8" });
		} catch (error) {
			return String((error as { stdout?: string }).stdout);
		}
	})();
	const errors = [...output.matchAll(/^(\S+)\((\d+),\d+\): error/gm)];
	if (errors.length === 0 && output.trim() !== "") throw new Error(output);
	const names = errors.map(([, file = "", line]) => {
		const above = readFileSync(join(copy, file), "utf8").split("\n").slice(0, Number(line)).join("\n");
		const name = [...above.matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)].at(-1)?.[1];
		return `${file} ${name}`;
	});
	return [...new Set(names)].sort();
}

test("adding a stop condition is a type error in every place that must handle it, and nowhere else", () => {
	for (const folder of ["app/v1", "components", "lib", "runner"]) {
		cpSync(join(root, folder), join(copy, folder), {
			recursive: true,
			filter: (source) => !/\.test\.tsx?$/.test(source),
		});
	}
	for (const file of ["package.json", "tsconfig.json"]) cpSync(join(root, file), join(copy, file));
	symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
	const path = join(copy, "lib/contract/stop-condition.ts");
	const source = readFileSync(path, "utf8");
	const schemas = "z.strictObject({ phase: z.string() })";
	const changed = source.replace(
		"export const STOP_CONDITION_SCHEMAS = {",
		`$&\n\tmade_up: { body: ${schemas}, config: ${schemas}, publicConfig: ${schemas} },`,
	);
	expect(changed).not.toBe(source);
	writeFileSync(path, changed);
	expect(declarationsWithErrors()).toEqual(PLACES);
}, 240_000);
