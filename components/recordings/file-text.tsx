"use client";

import { useQuery } from "@tanstack/react-query";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { formatBytes } from "#lib/client/format.ts";
import { shownText } from "./shown-text.ts";

const MAX_SHOWN_BYTES = 64_000;

interface Props {
	/** The path of the file, without a query. */
	path: string;
	name: string;
	contentType: string;
	/** The maximum height. */
	className: string;
}

/** The beginning of a text file. It is shown as characters only, whatever its type. */
export function FileText({ path, name, contentType, className }: Props) {
	const { data, isError } = useQuery({
		queryKey: ["file-text", path],
		queryFn: ({ signal }) => readStart(path, signal),
		staleTime: Number.POSITIVE_INFINITY,
	});
	if (isError) return <p className="py-1 text-sm text-danger">Couldn't load this file. Download it instead.</p>;
	if (data === undefined) return <Skeleton className="h-3 w-2/3" />;
	return (
		<div className="flex flex-col gap-1">
			<CodeBlock
				text={shownText({ contentType }, data.text)}
				label={`Copy the text of ${name}`}
				className={`wrap-anywhere ${className}`}
			/>
			{data.bytes > MAX_SHOWN_BYTES ? (
				<p className="text-xs text-muted">{`The first ${formatBytes(MAX_SHOWN_BYTES)} of ${formatBytes(data.bytes)}.`}</p>
			) : null}
		</div>
	);
}

async function readStart(path: string, signal: AbortSignal): Promise<{ text: string; bytes: number }> {
	const headers = { range: `bytes=0-${MAX_SHOWN_BYTES - 1}` };
	const answer = await fetch(path, { headers, signal });
	// An empty file has no range.
	if (answer.status === 416) return { text: "", bytes: 0 };
	if (!answer.ok) throw new Error(`The file could not be loaded: status ${answer.status}.`);
	return { text: await answer.text(), bytes: Number(answer.headers.get("content-range")?.split("/")[1] ?? 0) };
}
