"use client";

import { useQuery } from "@tanstack/react-query";
import type { Attachment, SignedAttachment } from "@tapedeck/contract/attachment.ts";
import { sanitizeLog, withoutColours } from "@tapedeck/contract/plain-text.ts";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { toast } from "#components/ui/toast.ts";
import { call, errorMessage } from "#lib/client/api.ts";
import { formatBytes } from "#lib/client/format.ts";
import { groupsOf } from "./attachment-groups.ts";
import { Picture, PictureComparison } from "./picture-comparison.tsx";
import { attachmentPath, attachmentTextQuery, MAX_SHOWN_BYTES, testResultQuery } from "./tests.ts";

/** The files of a result by their kind: pictures large, texts on request, everything else as a download. */
export function ResultAttachments({ resultId }: { resultId: number }) {
	const { attachments = [] } = useQuery(testResultQuery(resultId)).data ?? {};
	const { comparisons, images, videos, texts, traces, files } = groupsOf(attachments);
	return (
		<section aria-labelledby="attachments" className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-3">
			<h2 id="attachments" className="text-sm font-semibold">
				Attachments
			</h2>
			{comparisons.map((comparison) => (
				<PictureComparison key={comparison.name} comparison={comparison} />
			))}
			{images.map((image) => (
				<figure key={image.id} className="flex min-w-0 flex-col gap-1">
					<a href={attachmentPath(image.id)} target="_blank" rel="noreferrer" className="w-fit max-w-full">
						<Picture attachment={image} alt={image.name} />
					</a>
					<figcaption className="text-xs break-all text-muted">{image.name}</figcaption>
				</figure>
			))}
			{videos.map((video) => (
				<figure key={video.id} className="flex min-w-0 flex-col gap-1">
					{/* biome-ignore lint/a11y/useMediaCaption: a video of a browser has no sound */}
					<video
						src={attachmentPath(video.id)}
						controls
						preload="none"
						aria-label={video.name}
						className="w-full rounded-md"
					/>
					<figcaption className="text-xs break-all text-muted">{video.name}</figcaption>
				</figure>
			))}
			{traces.map((trace) => (
				<Trace key={trace.id} trace={trace} />
			))}
			{texts.map((text) => (
				<Text key={text.id} attachment={text} />
			))}
			{files.map((file) => (
				<FileLink key={file.id} attachment={file} />
			))}
		</section>
	);
}

const FileLink = ({ attachment: { id, name, bytes } }: { attachment: Attachment }) => (
	<a
		href={`${attachmentPath(id)}?download=1`}
		download={name}
		className="flex min-h-6 w-fit max-w-full items-center gap-2 text-sm underline-offset-2 hover:underline"
	>
		<Download aria-hidden className="size-4 shrink-0 text-muted" />
		<span className="min-w-0 break-all">{name}</span>
		<span className="shrink-0 text-xs text-muted tabular-nums">{formatBytes(bytes)}</span>
	</a>
);

/** Opened by a signed URL, which is made when it is asked for: whoever has it reads the trace. */
function Trace({ trace }: { trace: Attachment }) {
	const [signed, setSigned] = useState<SignedAttachment | null>(null);
	const openTrace = async () => {
		// Now, because browsers let only a click open a tab.
		const tab = window.open("", "_blank");
		try {
			const answer = await call<SignedAttachment>("GET", `${attachmentPath(trace.id)}/url`);
			setSigned(answer);
			if (answer.viewerUrl === null || tab === null) return tab?.close();
			tab.opener = null;
			tab.location.href = answer.viewerUrl;
		} catch (error) {
			tab?.close();
			toast.error(`Couldn't open the trace. ${errorMessage(error)}`);
		}
	};
	return (
		<div className="flex min-w-0 flex-col gap-1">
			<div className="flex flex-wrap items-center gap-x-4 gap-y-1">
				<Button size="small" aria-label={`Open trace ${trace.name}`} onClick={() => void openTrace()}>
					Open trace
				</Button>
				<FileLink attachment={trace} />
			</div>
			{signed?.viewerUrl === null ? (
				<p className="text-sm text-muted">This dashboard has no trace viewer. Open it with Playwright:</p>
			) : null}
			{signed === null ? null : (
				<CodeBlock
					text={`npx playwright show-trace '${signed.url}'`}
					label={`Copy the command that opens ${trace.name}`}
				/>
			)}
		</div>
	);
}

/** Its beginning, once it is opened. */
function Text({ attachment }: { attachment: Attachment }) {
	const [isOpen, setOpen] = useState(false);
	const { data, isError } = useQuery({ ...attachmentTextQuery(attachment.id), enabled: isOpen });
	return (
		<details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="min-w-0">
			<summary className="min-h-6 cursor-pointer text-sm break-all">{attachment.name}</summary>
			<div className="mt-1 flex flex-col gap-2">
				{isError ? <p className="text-sm text-danger">Couldn't load this file. Download it instead.</p> : null}
				{data === undefined ? null : (
					<div className="max-h-96 overflow-y-auto">
						<CodeBlock text={withoutColours(sanitizeLog(data))} label={`Copy the text of ${attachment.name}`} />
					</div>
				)}
				{attachment.bytes > MAX_SHOWN_BYTES ? (
					<p className="text-xs text-muted">{`The first ${formatBytes(MAX_SHOWN_BYTES)} of ${formatBytes(attachment.bytes)}.`}</p>
				) : null}
				<FileLink attachment={attachment} />
			</div>
		</details>
	);
}
