"use client";

import { useQuery } from "@tanstack/react-query";
import type { Attachment, SignedAttachment } from "@tapedeck/contract/attachment.ts";
import { clsx } from "clsx";
import { ChevronRight, Download, ExternalLink } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { LazyContent } from "#components/ui/lazy-content.tsx";
import { toast } from "#components/ui/toast.ts";
import { call, errorMessage } from "#lib/client/api.ts";
import { formatBytes } from "#lib/client/format.ts";
import { groupsOf } from "./attachment-groups.ts";
import { Picture, PictureComparison } from "./picture-comparison.tsx";
import { attachmentPath, testResultQuery, testRunQuery } from "./tests.ts";

/** The attachments of one result. */
export function ResultAttachments({ resultId }: { resultId: number }) {
	const { attachments = [] } = useQuery(testResultQuery(resultId)).data ?? {};
	return <Attachments attachments={attachments} />;
}

/** The attachments of a test run itself. */
export function RunAttachments({ testRunId }: { testRunId: number }) {
	const { attachments = [] } = useQuery(testRunQuery(testRunId)).data ?? {};
	return <Attachments attachments={attachments} />;
}

/**
 * Files by their kind: traces first, pictures large, texts on request, everything else as a download.
 * @param props.isShared whether visitors without an account see them, who cannot sign URLs for the trace viewer
 */
export function Attachments({
	attachments,
	isShared = false,
}: {
	attachments: readonly Attachment[];
	isShared?: boolean;
}) {
	const { comparisons, images, videos, texts, traces, ...other } = groupsOf(attachments);
	const files = isShared ? [...traces, ...other.files] : other.files;
	const headingId = useId();
	const columns = images.length > 1 && "lg:grid-cols-2";
	return (
		<section aria-labelledby={headingId} className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-3">
			<h2 id={headingId} className="text-sm font-semibold">
				Attachments
			</h2>
			{isShared ? null : traces.map((trace) => <Trace key={trace.id} trace={trace} />)}
			{comparisons.map((comparison) => (
				<PictureComparison key={comparison.name} comparison={comparison} />
			))}
			{images.length === 0 ? null : (
				<div className={clsx("grid items-start gap-4", columns)}>
					{images.map((image) => (
						<figure key={image.id} className="flex min-w-0 flex-col gap-1">
							<a href={attachmentPath(image)} target="_blank" rel="noreferrer" className="w-fit max-w-full">
								<Picture attachment={image} alt={image.name} />
							</a>
							<figcaption className="text-xs wrap-anywhere text-muted">{image.name}</figcaption>
						</figure>
					))}
				</div>
			)}
			{videos.map((video) => (
				<figure key={video.id} className="flex min-w-0 flex-col gap-1">
					{/* biome-ignore lint/a11y/useMediaCaption: a video of a browser has no sound */}
					<video
						src={attachmentPath(video)}
						controls
						preload="none"
						aria-label={video.name}
						className="w-full rounded-md"
					/>
					<figcaption className="text-xs wrap-anywhere text-muted">{video.name}</figcaption>
				</figure>
			))}
			{texts.length + files.length === 0 ? null : (
				<ul className="divide-y divide-line border-t border-line">
					{texts.map((text) => (
						<FileRow key={text.id} attachment={text}>
							<Text attachment={text} />
						</FileRow>
					))}
					{files.map((file) => (
						<FileRow key={file.id} attachment={file}>
							<span className="flex min-h-8 items-center ps-6">
								<NameAndSize attachment={file} />
							</span>
						</FileRow>
					))}
				</ul>
			)}
		</section>
	);
}

const NameAndSize = ({ attachment: { name, bytes } }: { attachment: Attachment }) => (
	<span className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
		<span className="min-w-0 wrap-anywhere">{name}</span>
		<span className="text-xs text-muted tabular-nums">{formatBytes(bytes)}</span>
	</span>
);

const DownloadLink = ({ attachment }: { attachment: Attachment }) => (
	<a
		href={`${attachmentPath(attachment)}?download=1`}
		download={attachment.name}
		aria-label={`Download ${attachment.name}`}
		title={`Download ${attachment.name}`}
		className={buttonClass("ghost", "icon")}
	>
		<Download aria-hidden className="size-4" />
	</a>
);

const FileRow = ({ attachment, children }: { attachment: Attachment; children: ReactNode }) => (
	<li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 py-1">
		{children}
		<DownloadLink attachment={attachment} />
	</li>
);

/** Opens by a signed URL, which is created on request: everyone who has it can read the trace. */
function Trace({ trace }: { trace: Attachment }) {
	const [signed, setSigned] = useState<SignedAttachment | null>(null);
	const openTrace = async () => {
		// Opened before the call, because browsers let only a click open a tab.
		const tab = window.open("", "_blank");
		try {
			const answer = await call<SignedAttachment>("GET", `${attachmentPath(trace)}/url`);
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
		<div className="flex min-w-0 flex-col gap-2">
			<div className="flex items-center gap-3">
				<Button aria-label={`Open trace ${trace.name}`} onClick={() => void openTrace()}>
					<ExternalLink aria-hidden className="size-4" />
					Open trace
				</Button>
				<NameAndSize attachment={trace} />
				<span className="ms-auto">
					<DownloadLink attachment={trace} />
				</span>
			</div>
			{signed === null ? null : (
				<div className="flex flex-col gap-1">
					<p className="text-xs text-muted">
						{signed.viewerUrl === null
							? "The trace viewer is not set up here. Open the trace with Playwright:"
							: "To open it with your own Playwright, within an hour:"}
					</p>
					<CodeBlock
						text={`npx playwright show-trace '${signed.url}'`}
						label={`Copy the command that opens ${trace.name}`}
					/>
				</div>
			)}
		</div>
	);
}

const loadFileText = () => import("#components/recordings/file-text.tsx").then((module) => module.FileText);

/** Shows the beginning of a text once it is opened. */
function Text({ attachment }: { attachment: Attachment }) {
	const [isOpen, setOpen] = useState(false);
	const { name, contentType } = attachment;
	return (
		<details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group min-w-0">
			<summary className="flex min-h-8 cursor-pointer list-none items-center gap-2 [&::-webkit-details-marker]:hidden">
				<ChevronRight aria-hidden className="size-4 shrink-0 text-muted group-open:rotate-90" />
				<NameAndSize attachment={attachment} />
			</summary>
			<div className="py-1 ps-6">
				{isOpen ? (
					<LazyContent
						load={loadFileText}
						path={attachmentPath(attachment)}
						{...{ name, contentType }}
						className="max-h-96"
					/>
				) : null}
			</div>
		</details>
	);
}
