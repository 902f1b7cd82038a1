"use client";

import { clsx } from "clsx";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { buttonClass } from "./button.tsx";
import { toast } from "./toast.ts";

/** Copies `text` and confirms it with a check mark. `label` is its accessible name. */
export function CopyButton({ text, label, className }: { text: string; label: string; className?: string }) {
	const [copied, setCopied] = useState(false);
	useEffect(() => {
		if (!copied) return;
		const timer = setTimeout(() => setCopied(false), 1500);
		return () => clearTimeout(timer);
	}, [copied]);
	const copy = async () => {
		if (await copyText(text)) setCopied(true);
		else toast.error("Your browser blocked copying. Select the text and copy it manually.");
	};
	const Icon = copied ? Check : Copy;
	return (
		<button
			type="button"
			onClick={copy}
			aria-label={label}
			title={label}
			className={clsx(buttonClass("ghost", "icon"), className)}
		>
			<Icon aria-hidden className={clsx("size-4", copied && "text-ok")} />
		</button>
	);
}

/**
 * Text to paste elsewhere, with its copy button.
 * @param props.className how long lines break, and a maximum height
 */
export function CodeBlock({
	text,
	label,
	className = "break-all",
}: {
	text: string;
	label: string;
	className?: string;
}) {
	return (
		<div className="relative rounded-md border border-line bg-inset">
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
			<pre tabIndex={0} className={clsx("overflow-auto p-3 pe-11 text-xs leading-5 whitespace-pre-wrap", className)}>
				<code>{text}</code>
			</pre>
			<CopyButton text={text} label={label} className="absolute top-1 end-1 bg-inset" />
		</div>
	);
}

/** Copies text, also over plain HTTP, where browsers have no clipboard API. */
export async function copyText(text: string): Promise<boolean> {
	try {
		if (navigator.clipboard) {
			await navigator.clipboard.writeText(text);
			return true;
		}
	} catch {
		// Access to the clipboard was denied; `execCommand` may be allowed.
	}
	const area = document.createElement("textarea");
	area.value = text;
	area.style.position = "fixed";
	area.style.opacity = "0";
	// Inside an open dialog, whose focus trap would take the focus back otherwise.
	const host = document.activeElement?.closest('[role="dialog"]') ?? document.body;
	const before = document.activeElement;
	host.append(area);
	area.select();
	const copied = document.execCommand("copy");
	area.remove();
	if (before instanceof HTMLElement) before.focus();
	return copied;
}
