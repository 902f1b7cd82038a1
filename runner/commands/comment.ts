/** `tapedeck comment`: one comment about a build on the pull or merge request that CI runs for. */
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BuildReport } from "@tapedeck/contract/build-report.ts";
import { headlineOf, newCausesOf } from "@tapedeck/contract/build-summary.ts";
import { clipOf } from "@tapedeck/contract/clip.ts";
import { errorMessage } from "../base/fault.ts";
import { type ApiCall, apiCommand } from "./api/api-command.ts";
import { writeClip } from "./api/clip-file.ts";
import { about } from "./api/dashboard-client.ts";
import { buildComment, type Clips, markerOf, verdictOf } from "./build-comment.ts";
import { artifactsOf } from "./ci-artifacts.ts";
import { type CodeReview, codeReviewOf } from "./code-review.ts";
import { EXIT, type ExitStatus, usageError } from "./command.ts";
import { labelsOf } from "./command-labels.ts";
import { option } from "./define-command.ts";

/** GitHub shows so many annotations of a step. */
const MAX_ANNOTATIONS = 10;
/** Clips of a comment. */
const MAX_CLIPS = 5;

async function run(call: ApiCall): Promise<ExitStatus> {
	const { values, env, client } = call;
	const labels = labelsOf(call);
	const build = typeof values.build === "string" ? values.build : labels.build;
	if (build === undefined) throw usageError("Name the build: --build <name>. In CI systems, it is known without it.");
	const report = await about(`The build ${build}`, client.builds.report(build));
	const marker = markerOf(labels);
	const said = { build, headline: headlineOf(report), verdict: verdictOf(report) };
	const bodyWith = (clips?: Clips) => `${marker}\n${buildComment(report, client.url, clips)}\n`;
	if (values.dryRun === true) {
		const body = bodyWith();
		call.print({ ...said, body, url: null }, body);
		return EXIT.done;
	}
	const folder = typeof values.clips === "string" ? values.clips : null;
	const artifacts = folder === null ? new Map<number, string>() : await writeClips(call, report, folder);
	const text = buildComment(report, client.url, { artifacts, attached: new Map() });
	if (env.GITHUB_ACTIONS) for (const line of annotationsOf(newCausesOf(report))) call.remark(line);
	if (env.GITHUB_STEP_SUMMARY) {
		await appendFile(env.GITHUB_STEP_SUMMARY, `${text}\n\n`).catch((error) =>
			call.remark(`tapedeck: The step summary could not be written: ${errorMessage(error)}`),
		);
	}
	const review = await codeReviewOf(env);
	if (review === null) {
		call.print(
			{ ...said, body: `${marker}\n${text}\n`, url: null },
			"Nothing was commented: this is no pull request and no merge request.",
		);
		return EXIT.done;
	}
	const attached = values.attach === true ? await attachClips(call, review, report) : new Map<number, string>();
	const whole = bodyWith({ artifacts, attached });
	const url = await review.comment(marker, whole);
	call.print({ ...said, body: whole, url }, `Commented on ${review.name}: ${url}`);
	return EXIT.done;
}

/** Uploads the clips of the first new causes. @returns Markdown that shows them, by the ids of the results. */
async function attachClips(call: ApiCall, review: CodeReview, report: BuildReport): Promise<Map<number, string>> {
	const { attach } = review;
	if (attach === undefined) {
		call.remark("tapedeck: GitHub takes no files of comments from workflows: --clips makes artifacts of them.");
		return new Map();
	}
	return forClips(call, report, "attached", attach);
}

/**
 * Writes the clips of the first new causes into a folder that CI uploads.
 * @returns the addresses that they have then, by the ids of the results.
 */
async function writeClips(call: ApiCall, report: BuildReport, folder: string): Promise<Map<number, string>> {
	await mkdir(folder, { recursive: true });
	const link = artifactsOf(call.env);
	return forClips(call, report, "written as an artifact", async (name, bytes) => {
		const path = join(folder, name);
		await writeClip({ bytes }, path);
		return (await link?.({ name, path, bytes })) ?? null;
	});
}

type ClipBytes = Uint8Array<ArrayBuffer>;

/** @param work returns null if there is nothing to show. What goes wrong is a remark: the comment links to the dashboard. */
async function forClips(
	call: ApiCall,
	report: BuildReport,
	done: string,
	work: (name: string, bytes: ClipBytes) => Promise<string | null>,
): Promise<Map<number, string>> {
	const clips = new Map<number, string>();
	for (const { first } of newCausesOf(report).slice(0, MAX_CLIPS)) {
		const clip = clipOf(first);
		if (clip === null) continue;
		const { recordingId, ...range } = clip;
		try {
			const { bytes } = await call.client.recordings.clip(recordingId, range);
			const shown = await work(`failure-${first.id}.mp4`, bytes);
			if (shown !== null) clips.set(first.id, shown);
		} catch (error) {
			call.remark(`tapedeck: The clip of ${first.test} was not ${done}: ${errorMessage(error)}`);
		}
	}
	return clips;
}

/** Errors at the lines of tests that fail anew, as GitHub Actions reads them from a log. */
function annotationsOf(causes: ReturnType<typeof newCausesOf>): string[] {
	return causes.slice(0, MAX_ANNOTATIONS).map(({ title, first: { test, file, line } }) => {
		const place = [
			...(file === null ? [] : [`file=${property(file)}`]),
			...(file === null || line === null ? [] : [`line=${line}`]),
			`title=${property(test)}`,
		];
		return `::error ${place.join(",")}::${message(title)}`;
	});
}

const message = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string): string => message(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

export const command = apiCommand({
	usage: "tapedeck comment [--build <name>] [--clips <folder>] [--attach] [--dry-run]",
	about: `Writes one comment about a build on the pull request (GitHub Actions) or merge request (GitLab CI) that CI runs for, or
replaces the one that it wrote before: a line for each new cause of failures with links to its result, frame and clip, and its owner,
what the gate makes of it, and the counts. In GitHub Actions, new failures are also annotations at their lines, and the step has the text as its
summary. Elsewhere, and for other builds, nothing is commented.`,
	options: [
		option("--build <name>", "the build; default the label build that CI systems set (docs/ci.md)"),
		option(
			"--clips <folder>",
			"write the clips of the first 5 new causes to this folder, for an artifact of CI that the comment links to (docs/ci.md)",
		),
		option(
			"--attach",
			"upload the clips of the first 5 new causes, which all who see the merge request can play (GitLab)",
		),
		option("--dry-run", "print the comment; write nothing"),
	],
	exit: `variables: GITHUB_TOKEN of GitHub, with the permission pull-requests: write; GITLAB_TOKEN of GitLab, a token with the scope api`,
	run,
});
