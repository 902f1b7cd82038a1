"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { AGENT_LABEL } from "@tapedeck/contract/recording-kinds.ts";
import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { clsx } from "clsx";
import { Columns2, ExternalLink, GitBranch, GitCommitHorizontal, Layers } from "lucide-react";
import type { ReactNode } from "react";
import { buildPath } from "#components/builds/build-path.ts";
import { Link } from "#components/navigation/link.tsx";
import { AgentBadge } from "#components/recordings/agent-badge.tsx";
import { useSourceLinks } from "#components/recordings/use-source-links.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { formatLength, shortCommit } from "#lib/client/format.ts";
import { OutcomeStrip } from "./outcome-strip.tsx";
import { isFailure, ResultIcon, resultWord } from "./result-icon.tsx";
import { FailureTime, ResultMessage } from "./result-message.tsx";
import { testPath } from "./test-path.ts";
import { testHistoryQuery, testResultQuery } from "./tests.ts";

interface Props {
	/** The result as a list has it: the whole one is fetched. */
	result: TestResult;
	/** Further actions. */
	actions?: ReactNode;
	/** The page of its test says what the test is called and how it fared before. */
	isOnTestPage?: boolean;
}

/** Outcome of a test and its cause, since when, and links to its code and its build. */
export function ResultSummary({ result: listed, actions = null, isOnTestPage = false }: Props) {
	const result = useQuery(testResultQuery(listed.id)).data ?? listed;
	return (
		<section
			aria-label="Test result"
			className="grid gap-x-6 gap-y-3 rounded-lg border border-line bg-surface p-3 lg:grid-cols-[minmax(0,1fr)_20rem]"
		>
			<div className="flex min-w-0 flex-col gap-2">
				<Title result={result} isOnTestPage={isOnTestPage} />
				<ResultMessage result={result} />
			</div>
			<div className="flex min-w-0 flex-col gap-2">
				{isOnTestPage ? null : <History result={result} />}
				<Sources result={result} />
				{actions === null ? null : <div className="flex flex-wrap gap-1.5">{actions}</div>}
			</div>
		</section>
	);
}

function Title({ result, isOnTestPage }: { result: TestResult; isOnTestPage: boolean }) {
	const { testId, test, project, attempt, flaky, durationSeconds } = result;
	return (
		<div className="flex min-w-0 items-start gap-2">
			<ResultIcon result={result} className="mt-0.5 size-5" />
			<div className="min-w-0">
				{isOnTestPage ? (
					<h2 className="text-base font-semibold">
						This result, <TimeAgo at={result.startedAt} isAbout={result.isApproximate} />
					</h2>
				) : (
					<h2 className="line-clamp-2 text-base font-semibold break-words" title={test}>
						<Link href={testPath(testId)} className="inline-block min-h-6 underline-offset-2 hover:underline">
							{test}
						</Link>
					</h2>
				)}
				<ul className="flex flex-wrap items-center gap-x-3 text-xs text-muted tabular-nums">
					<li className={clsx("font-medium", isFailure(result) && "text-danger")}>{resultWord(result)}</li>
					{isFailure(result) && !flaky && result.labels[AGENT_LABEL] === undefined ? (
						<li>{result.new ? "New on this branch" : "Failed before with this cause"}</li>
					) : null}
					{result.labels[AGENT_LABEL] === undefined ? null : (
						<li>
							<AgentBadge labels={result.labels} />
						</li>
					)}
					{attempt > 1 ? <li>{`Attempt ${attempt}`}</li> : null}
					{project === null ? null : <li className="min-w-0 break-words">{project}</li>}
					{durationSeconds === null ? null : <li>{formatLength(durationSeconds)}</li>}
					<FailureTime result={result} />
					{result.file === null ? null : (
						<li className="min-w-0 break-all">{`${result.file}${result.line === null ? "" : `:${result.line}`}`}</li>
					)}
				</ul>
			</div>
		</div>
	);
}

const STRIP = 20;

/** The last results of the same test. */
function History({ result }: { result: TestResult }) {
	const history = useInfiniteQuery(testHistoryQuery({ testId: result.testId }, STRIP)).data?.pages[0];
	if (history === undefined) return <Skeleton className={HISTORY} />;
	const { failingSince } = history?.summary ?? { failingSince: null };
	const results = history?.data ?? [];
	return (
		<div className={HISTORY}>
			<p className="truncate text-xs text-muted">
				{results.length < 2 ? "The first result of this test" : `Last ${results.length} results`}
				{failingSince === null || failingSince.build === null ? null : (
					<>
						{" · failing since build "}
						<Link href={buildPath(failingSince.build)} className="text-accent underline underline-offset-2">
							{failingSince.build}
						</Link>
					</>
				)}
			</p>
			<OutcomeStrip
				results={results}
				currentId={result.id}
				label="Last results of this test"
				className="-ms-1 max-lg:[&>li:nth-last-child(n+13)]:hidden"
			/>
		</div>
	);
}

/** The height is the same before the results have come, so that the video below does not jump: a line, and the strip in one or two. */
const HISTORY = "h-10 lg:h-16";

/** Links to its build, its CI job, its commit and its branch. */
function Sources({ result }: { result: TestResult }) {
	const { build, commit, branch } = result.labels;
	const links = useSourceLinks(result.labels);
	return (
		<ul aria-label="Build and source" className="flex min-w-0 flex-wrap gap-x-3 gap-y-1 text-xs">
			{links["ci.url"] === undefined ? null : (
				<Source Icon={ExternalLink} text="CI job" title={links["ci.url"]} href={links["ci.url"]} />
			)}
			{build === undefined ? null : (
				<li className="flex min-h-6 min-w-0 items-center gap-1">
					<Layers aria-hidden className="size-3.5 shrink-0 text-muted" />
					<Link href={buildPath(build)} title={`Build ${build}`} className={LINK}>
						{build}
					</Link>
				</li>
			)}
			{commit === undefined ? null : (
				<Source Icon={GitCommitHorizontal} text={shortCommit(commit)} title={`Commit ${commit}`} href={links.commit} />
			)}
			{branch === undefined ? null : (
				<Source Icon={GitBranch} text={branch} title={`Branch ${branch}`} href={links.branch} />
			)}
		</ul>
	);
}

const LINK = "min-w-0 truncate leading-6 text-accent underline underline-offset-2";

function Source({
	Icon,
	text,
	title,
	href,
}: {
	Icon: typeof Layers;
	text: string;
	title: string;
	href: string | undefined;
}) {
	return (
		<li className="flex min-h-6 min-w-0 items-center gap-1">
			<Icon aria-hidden className="size-3.5 shrink-0 text-muted" />
			{href === undefined ? (
				<span title={title} className="min-w-0 truncate">
					{text}
				</span>
			) : (
				<a href={href} target="_blank" rel="noreferrer" title={title} className={LINK}>
					{text}
				</a>
			)}
		</li>
	);
}

/** Leads to the comparison with the last result of the same test that passed. */
export const CompareLink = ({ href }: { href: string }) => (
	<Link href={href} className={buttonClass("secondary", "small")}>
		<Columns2 aria-hidden className="size-3.5" />
		Compare with last passed
	</Link>
);
