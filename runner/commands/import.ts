/** `tapedeck import`: makes a test run of the reports that any test tool has written. */
import { createHash } from "node:crypto";
import { isAbsolute, relative } from "node:path";
import { sanitizeName } from "@tapedeck/contract/plain-text.ts";
import { isFailure, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { MAX_RESULT_KEY, sanitizeTitle } from "@tapedeck/contract/test-result.ts";
import type { ReportedStep, ReportedTest } from "../../clients/typescript/src/index.ts";
import { SecretMask } from "../../clients/typescript/src/secret-mask.ts";
import { type ApiCall, apiCommand } from "./api/api-command.ts";
import { CommandError, EXIT, type ExitStatus, usageError } from "./command.ts";
import { labelsOf } from "./command-labels.ts";
import { option, repeatable } from "./define-command.ts";
import type { ImportedStep, ImportedTest } from "./imported-test.ts";
import { namedSecrets } from "./named-secrets.ts";
import { type ImportAnswer, readImports } from "./read-imports.ts";
import { nameOf } from "./record.ts";

/** Of files that were not read, in one line. */
const MAX_NAMED = 3;
const MAX_NAME = 200;

async function run(call: ApiCall): Promise<ExitStatus> {
	const { values, positionals, env, client } = call;
	if (positionals.length === 0) throw usageError("Name the reports to import, such as: tapedeck import reports/*.xml");
	const labels = labelsOf(call);
	const mask = new SecretMask(env, namedSecrets(values.mask));
	const { answers, problem } = await readImports(positionals);
	const refused = answers.flatMap((answer) => ("problem" in answer ? [answer] : []));
	for (const [reason, files] of Map.groupBy(refused, (each) => each.problem)) call.remark(refusalOf(files, reason));
	if (problem !== null) throw new CommandError("not_read", `The reports were not read: ${problem}.`);
	const files = answers.flatMap((answer) => ("tests" in answer ? [answer] : []));
	const results = resultsOf(files.flatMap(({ tests }) => tests)).map((result) => mask.applyToResult(result));
	if (results.length === 0) {
		throw new CommandError(
			"nothing_found",
			`Nothing was imported: there are no test results in ${positionals.join(", ")}.`,
		);
	}
	const formats = [...new Set(files.map(({ format }) => format))].sort();
	const outcome = outcomeOf(results);
	const counts = countsOf(results);
	const isIncomplete = refused.some(({ isNamed }) => isNamed);
	if (values.dryRun === true) {
		call.print(
			{ formats, files: files.map(({ file }) => file), outcome, labels, results },
			`${describeResults(results.length, counts)} of ${formats.join(" and ")} in ${files.length === 1 ? "1 file" : `${files.length} files`}. Nothing was sent.`,
		);
		return isIncomplete ? EXIT.failed : EXIT.done;
	}
	const created = await client.testRuns.create({
		name: nameOf(values.name) ?? `${formats.join(", ")}: ${positionals.join(" ")}`.slice(0, MAX_NAME),
		source: "import",
		labels,
		key: keyOfFiles(files, labels),
		...(values.quietHistory === true ? { quietHistory: true } : {}),
	});
	const isKnown = created.endedAt !== null && !created.isAbandoned;
	if (!isKnown) await client.testRuns.addTests(created.id, results);
	const run = isKnown ? created : await client.testRuns.end(created.id, { outcome });
	const where = run.url ?? client.url;
	call.print(
		run,
		isKnown
			? `These reports were imported before, as test run ${run.id}: ${where}`
			: `${describeResults(results.length, counts)}, as test run ${run.id}: ${where}`,
	);
	return isIncomplete ? EXIT.failed : EXIT.done;
}

function refusalOf(files: readonly { file: string }[], reason: string): string {
	const names = files.slice(0, MAX_NAMED).map(({ file }) => sanitizeName(file, MAX_NAME));
	const more = files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : "";
	return `tapedeck: Not imported: ${names.join(", ")}${more}: ${reason}.`;
}

/** The same for the same files in the same build, in whatever order they are named. */
function keyOfFiles(
	files: readonly Extract<ImportAnswer, { hash: string }>[],
	{ build = "" }: Record<string, string>,
): string {
	const hashes = files.map(({ hash }) => hash).sort();
	return `import ${createHash("sha256")
		.update([build, ...hashes].join("\n"))
		.digest("hex")}`;
}

/** With their attempts, if the report says only when these began, and a key for each. */
function resultsOf(tests: readonly ImportedTest[]): ReportedTest[] {
	const nameOf = ({ test, project }: ImportedTest): string => (project === null ? test : `${test} [${project}]`);
	const attempts = new Map<ImportedTest, number>();
	const counted = tests.filter(({ attempt }) => attempt === null);
	for (const same of Map.groupBy(counted, nameOf).values()) {
		same.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
		for (const [index, test] of same.entries()) attempts.set(test, index + 1);
	}
	const numbers = new Map<string, number>();
	return tests.map((each) => {
		const { startedAt, endedAt, isApproximate, steps, attempt, outcome, ...rest } = each;
		const name = nameOf(each);
		const number = (numbers.get(name) ?? 0) + 1;
		numbers.set(name, number);
		const end = `#${number}`;
		const begun = startedAt ?? endedAt;
		return {
			...rest,
			file: fileFrom(rest.file),
			key: `${sanitizeTitle(name, MAX_RESULT_KEY - end.length)}${end}`,
			outcome,
			attempt: Math.min(1_000, Math.max(1, attempt ?? attempts.get(each) ?? 1)),
			...(begun === null ? {} : { startedAt: timeOf(begun), endedAt: timeOf(Math.max(begun, endedAt ?? begun)) }),
			...(isApproximate ? { isApproximate: true } : {}),
			...(steps.length === 0 ? {} : { steps: steps.map(stepOf) }),
		};
	});
}

/** Within the folder that the command runs in, a path is the same on every machine. */
function fileFrom(file: string | null): string | null {
	if (file === null || !isAbsolute(file)) return file;
	const own = relative(process.cwd(), file);
	return own.startsWith("..") || isAbsolute(own) ? file : own;
}

const stepOf = ({ startedAt, endedAt, steps, ...step }: ImportedStep): ReportedStep => ({
	...step,
	...(startedAt === null ? {} : { startedAt: timeOf(startedAt) }),
	...(endedAt === null ? {} : { endedAt: timeOf(endedAt) }),
	...(steps.length === 0 ? {} : { steps: steps.map(stepOf) }),
});

/** Times that a report says are sent as they are. Those that no calendar has are cut to what it has. */
function timeOf(at: number): string {
	const YEAR_9999 = 253_402_300_799_000;
	return new Date(Math.min(Math.max(0, at), YEAR_9999)).toISOString();
}

/** By the last attempt of each test. */
function outcomeOf(results: readonly ReportedTest[]): Outcome {
	const last = [...Map.groupBy(results, ({ test, project }) => `${project ?? ""}\n${test}`).values()].map(
		(attempts) => attempts.toSorted((a, b) => (a.attempt ?? 1) - (b.attempt ?? 1)).at(-1)?.outcome ?? null,
	);
	if (last.some(isFailure)) return "failed";
	return last.includes("passed") ? "passed" : "skipped";
}

const countsOf = (results: readonly ReportedTest[]): [string, number][] =>
	(["passed", "failed", "error", "skipped"] as const).flatMap((outcome) => {
		const count = results.filter((result) => result.outcome === outcome).length;
		return count === 0 ? [] : [[outcome, count] as [string, number]];
	});

const describeResults = (count: number, counts: readonly [string, number][]): string =>
	`${count === 1 ? "1 test result" : `${count} test results`} (${counts.map(([outcome, many]) => `${many} ${outcome}`).join(", ")})`;

export const command = apiCommand({
	usage: "tapedeck import [--name <name>] [--label <key>=<value>]… [--quiet-history] [--dry-run] <file or folder>…",
	about: `Makes a test run of reports that a test tool has written: its results count for the build that the label build names, and
are compared with earlier ones. Finds out the format of each file by itself: JUnit XML, CTRF, Allure results, Open Test
Reporting (JUnit 5 and 6, PHPUnit), Robot Framework's output.xml, and Playwright's JSON report. Of a folder, it reads those
that are one. The same files are imported once, however often the command runs.`,
	options: [
		option("--name <name>", "the name of the test run; default the formats and what was imported"),
		repeatable(
			"--label <key>=<value>",
			`a label of the test run, such as build=123; repeat it for several. In CI systems
(docs/ci.md), build, branch, commit and ci.url are set without it`,
		),
		option("--quiet-history", "failures of these reports are not new, such as those of past builds"),
		option("--dry-run", "read the reports and say what would be imported; send nothing"),
		repeatable(
			"--mask <value>",
			"a secret that test results must not show, besides those in variables such as *_TOKEN; also TAPEDECK_MASK",
		),
	],
	exit: "exit status 1 also if a file that was named could not be read; the others are imported.",
	maxArguments: Number.POSITIVE_INFINITY,
	run,
});
