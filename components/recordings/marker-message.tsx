"use client";

import { clsx } from "clsx";
import { useId, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

/** A longer one is shown from its beginning, and in full on request. */
const SHORT_LINES = 6;
/** About as many characters as fit into the visible lines on a phone. */
const SHORT_CHARACTERS = 300;

/** The message of a marker, such as the error of a test: as it was sent, line by line. */
export function MarkerMessage({ message, label, className }: { message: string; label: string; className?: string }) {
	const [isOpen, setOpen] = useState(false);
	const id = useId();
	const isLong = message.length > SHORT_CHARACTERS || message.split("\n").length > SHORT_LINES;
	return (
		<div className={clsx("relative min-w-0 rounded-md border border-line bg-inset", className)}>
			<pre
				id={id}
				className={clsx(
					"py-2 ps-3 pe-9 font-mono text-xs leading-5 break-words whitespace-pre-wrap text-ink",
					isLong && !isOpen && "line-clamp-6 pb-0",
				)}
			>
				{message}
			</pre>
			{isLong ? (
				<Button
					variant="ghost"
					size="small"
					aria-expanded={isOpen}
					aria-controls={id}
					onClick={() => setOpen(!isOpen)}
					className="m-1"
				>
					{isOpen ? "Show less" : "Show all"}
					<span className="sr-only">{` of the message of ${label}`}</span>
				</Button>
			) : null}
			<CopyButton text={message} label={`Copy the message of ${label}`} className="absolute end-0.5 top-0.5" />
		</div>
	);
}
