/** `tapedeck import`: makes a test run of the reports that any test tool has written. */
import { createHash } from "node:crypto";
import type { ReportedTest } from "@tapedeck/client-source/index.ts";
import { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { isFailure } from "@tapedeck/contract/recording-kinds.ts";
import { type ApiCall, apiCommand } from "./api/api-command.ts";
import { CommandError, EXIT, type ExitStatus, usageError } from "./command.ts";
import { labelsOf } from "./command-labels.ts";
import { option, repeatable } from "./define-command.ts";
import { gateStatus } from "./gate.ts";
import { countFiles, sendFiles } from "./imported-files.ts";
import { outcomeOf, resultsOf } from "./imported-results.ts";
import { namedSecrets } from "./named-secrets.ts";
import { type ReportFile, readReports, remarkRefused } from "./read-reports.ts";
import { nameOf } from "./record.ts";

const MAX_NAME = 200;

async function run(call: ApiCall): Promise<ExitStatus> {
	const { values, positionals, env, client } = call;
	if (positionals.length === 0) throw usageError("Name the reports to import, such as: tapedeck import reports/*.xml");
	const labels = labelsOf(call);
	const mask = new SecretMask(env, namedSecrets(values.mask));
	const { files, refused, problem } = await readReports({ paths: positionals }, null);
	remarkRefused(call, refused);
	if (problem !== null) throw new CommandError("not_read", `The reports were not read: ${problem}.`);
	const tests = files.flatMap((each) => each.tests);
	const results = resultsOf(tests, mask);
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
			`${describeResults(results.length, counts)}${describeFiles(countFiles(tests))} of ${formats.join(" and ")} in ${files.length === 1 ? "1 file" : `${files.length} files`}. Nothing was sent.`,
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
	const stored = isKnown ? [] : await client.testRuns.addTests(created.id, results);
	const sent = await sendFiles(call, client, { reports: files, stored, mask });
	const run = isKnown ? created : await client.testRuns.end(created.id, { outcome });
	const where = run.url ?? client.url;
	call.print(
		run,
		isKnown
			? `These reports were imported before, as test run ${run.id}: ${where}`
			: `${describeResults(results.length, counts)}${describeFiles(sent)}, as test run ${run.id}: ${where}`,
	);
	if (isIncomplete) return EXIT.failed;
	if (values.gate !== true || !isFailure(run.outcome)) return EXIT.done;
	const asked = { owner: { testRunId: run.id }, isWhole: true, failed: [], command: null };
	return (await gateStatus(call, asked)) as ExitStatus;
}

/** The same for the same files in the same build, in whatever order they are named. */
function keyOfFiles(files: readonly ReportFile[], { build = "" }: Record<string, string>): string {
	const hashes = files.map(({ hash }) => hash).sort();
	return `import ${createHash("sha256")
		.update([build, ...hashes].join("\n"))
		.digest("hex")}`;
}

const countsOf = (results: readonly ReportedTest[]): [string, number][] =>
	(["passed", "failed", "error", "skipped"] as const).flatMap((outcome) => {
		const count = results.filter((result) => result.outcome === outcome).length;
		return count === 0 ? [] : [[outcome, count] as [string, number]];
	});

const describeResults = (count: number, counts: readonly [string, number][]): string =>
	`${count === 1 ? "1 test result" : `${count} test results`} (${counts.map(([outcome, many]) => `${many} ${outcome}`).join(", ")})`;

const describeFiles = (count: number): string =>
	count === 0 ? "" : ` with ${count === 1 ? "1 file" : `${count} files`}`;

export const command = apiCommand({
	usage:
		"tapedeck import [--name <name>] [--label <key>=<value>]… [--quiet-history] [--gate] [--dry-run] <file or folder>…",
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
		option("--gate", "exit with 1 if a test failed, unless each failure has a cause that is let pass in the dashboard"),
		option("--dry-run", "read the reports and say what would be imported; send nothing"),
		repeatable(
			"--mask <value>",
			"a secret that test results must not show, in addition to those in variables such as *_TOKEN; also TAPEDECK_MASK",
		),
	],
	exit: "exit status 1 also if a file that was named could not be read; the others are imported. With --gate, 1 also if a failure is new.",
	maxArguments: Number.POSITIVE_INFINITY,
	run,
});
