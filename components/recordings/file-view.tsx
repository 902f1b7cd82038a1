"use client";

import { PDF, shownAs } from "@tapedeck/contract/attachment-kinds.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { Download, FileText as FileTextIcon, FileType } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "#components/ui/button.tsx";
import { useClientValue } from "#components/ui/use-client-value.ts";
import { formatBytes } from "#lib/client/format.ts";
import { FileText } from "./file-text.tsx";

type Shown = Pick<Recording, "name" | "kind" | "contentType" | "width" | "height" | "bytes">;

/**
 * A recording that is no video: an image as large as it fits, a text, a PDF in the viewer of the browser, which runs apart
 * from the page; and of any other file its name, to download.
 * @param path of the file, without a query. @param children further buttons.
 */
export function FileView({ recording, path, children }: { recording: Shown; path: string; children?: ReactNode }) {
	const { name, kind, contentType, width, height, bytes } = recording;
	const hasPdfViewer = useClientValue(() => navigator.pdfViewerEnabled, false);
	const shown = contentType === PDF && hasPdfViewer ? "pdf" : shownAs(contentType);
	const Icon = kind === "document" ? FileTextIcon : FileType;
	return (
		<figure className="flex flex-col gap-3">
			{shown === "text" ? (
				<FileText {...{ path, name, contentType }} className="max-h-[75dvh]" />
			) : shown === "pdf" ? (
				<iframe src={path} title={name} className="h-[75dvh] w-full rounded-lg border border-line bg-inset" />
			) : shown === "image" ? (
				<a
					href={path}
					title="Open the image in its full size"
					className="grid place-items-center overflow-hidden rounded-lg border border-line bg-inset"
				>
					{/* biome-ignore lint/performance/noImgElement: it is served by the dashboard itself, in its own size */}
					<img
						src={path}
						alt={name}
						width={width ?? undefined}
						height={height ?? undefined}
						className="h-auto max-h-[75dvh] w-auto max-w-full object-contain"
					/>
				</a>
			) : (
				<div className="flex flex-col items-center gap-2 rounded-lg border border-line bg-inset px-6 py-12 text-center text-sm text-muted">
					<Icon aria-hidden className="size-8" />
					<p className="max-w-full truncate font-medium text-ink">{name}</p>
					<p className="tabular-nums">{bytes === 0 ? contentType : `${contentType} · ${formatBytes(bytes)}`}</p>
				</div>
			)}
			<figcaption className="flex flex-wrap items-center gap-2">
				<a href={`${path}?download=1`} download className={buttonClass("secondary")}>
					<Download aria-hidden className="size-4" />
					Download
				</a>
				{children}
			</figcaption>
		</figure>
	);
}
