"use client";

import { useCan } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Link } from "#components/navigation/link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { useCreateRunnerToken } from "#lib/client/credentials.ts";
import { curlOf } from "#lib/client/curl.ts";
import type { NewcomerWay } from "#lib/client/newcomer.ts";
import { shellCommand } from "#lib/client/runner-commands.ts";
import type { Job } from "#lib/contract/job.ts";
import type { Runner } from "#lib/contract/runner.ts";
import { newcomersTexts as texts } from "#lib/texts/newcomers.ts";
import { openCreateForm } from "./create-form-door.ts";

type Open = (from: HTMLElement) => void;

/** 1: a runner, with the command in place. */
export function ConnectStep({ runner, connected }: { runner: Runner | null; connected: boolean }) {
	const mayAdminister = useCan("administer");
	const token = useCreateRunnerToken();
	if (runner !== null) {
		const words = connected ? texts.connected(runner.name) : texts.offline(runner.name);
		return <p role="status">{words}</p>;
	}
	const { data } = token;
	return (
		<>
			<p>{texts.connectMeaning}</p>
			{mayAdminister ? null : <p>{texts.askAdmin}</p>}
			{token.error ? (
				<Notice tone="danger" alert>
					{wordsOf(token.error)}
				</Notice>
			) : null}
			{data ? (
				<div className="w-full">
					<p className="mb-1">{texts.paste}</p>
					<CodeBlock
						text={shellCommand({ url: location.origin, token: data.secret, name: data.name })}
						label={texts.copyCommand}
					/>
				</div>
			) : null}
			{mayAdminister && !data ? (
				<Button
					look="primary"
					aria-disabled={token.isPending}
					onClick={() => (token.isPending ? undefined : token.mutate(texts.firstName))}
				>
					{texts.makeCommand}
				</Button>
			) : null}
			{data ? (
				<p role="status" className="flex items-center gap-2">
					<span aria-hidden className="motion-pulse size-2 rounded-full bg-accent" />
					{texts.waitingForRunner}
				</p>
			) : null}
		</>
	);
}

/** 2: a recording, by form or by curl. */
export function RecordStep({ way, ready, onOpen }: { way: NewcomerWay; ready: boolean; onOpen: Open }) {
	const { job, runner } = way;
	if (way.recorded && job !== null) return <p role="status">{recordedWords(job)}</p>;
	if (!ready || runner === null) return null;
	const body = {
		runnerId: runner.id,
		displayId: runner.displays[0]?.id ?? ":99",
		stopCondition: "duration",
		stopConditionConfig: { durationSeconds: 10 },
	} as const;
	return (
		<>
			{job === null ? null : (
				<p role="status" className="flex flex-wrap items-center gap-x-2">
					{waitingWords(job)}
					{job.endedAt === null ? null : (
						<Button size="small" onClick={(event) => onOpen(event.currentTarget)}>
							{texts.seeWhy}
						</Button>
					)}
				</p>
			)}
			<Button look="primary" onClick={(event) => openCreateForm({ from: event.currentTarget })}>
				{texts.openForm}
			</Button>
			<div className="w-full">
				<p className="mb-1">
					{texts.recordMeaning}{" "}
					<Link href="/settings" className="text-accent underline underline-offset-2">
						{texts.makeKey}
					</Link>
				</p>
				<CodeBlock text={curlOf(location.origin, body)} label={texts.copyCommand} />
			</div>
		</>
	);
}

const recordedWords = (job: Job): string =>
	job.status === "recording" ? texts.recording(job.name) : texts.recorded(job.name);

function waitingWords(job: Job): string {
	if (job.endedAt !== null) return texts.failed(job.name);
	return job.status === "queued" ? texts.waiting(job.name) : texts.starting(job.name);
}

/** 3: the picture, live already and then for good. */
export function WatchStep({ way, onOpen }: { way: NewcomerWay; onOpen: Open }) {
	const { job } = way;
	if (!way.recorded || job === null) return <p>{texts.watchMeaning}</p>;
	const records = job.status === "recording";
	return (
		<>
			<p role="status">{way.hasVideo ? texts.ready : records ? texts.watchMeaning : texts.uploading}</p>
			{way.hasVideo || records ? (
				<Button look="primary" onClick={(event) => onOpen(event.currentTarget)}>
					{way.hasVideo ? texts.play : texts.watchLive}
				</Button>
			) : null}
			{records && job.stopCondition === "interrupt" ? <p>{texts.interruptHint}</p> : null}
		</>
	);
}
