"use client";

import { clsx } from "clsx";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";
import { inputClass } from "./field.tsx";

/** The search starts when typing pauses for this long. */
const TYPING_MS = 180;

interface Props {
	label: string;
	value: string;
	onChange(value: string): void;
	className?: string;
}

/** A search field. `/` focuses it from anywhere on the page. */
export function SearchBox({ label, value, onChange, className }: Props) {
	const [text, setText] = useState(value);
	const input = useRef<HTMLInputElement>(null);
	useShortcuts({ search: () => input.current?.select() });
	const sent = useRef(value);
	const change = useRef(onChange);
	change.current = onChange;

	// The address changed by other means: back, a link, "clear filters".
	useEffect(() => {
		if (value === sent.current) return;
		sent.current = value;
		setText(value);
	}, [value]);

	useEffect(() => {
		const wanted = text.trim();
		if (wanted === sent.current) return;
		const timer = setTimeout(() => {
			sent.current = wanted;
			change.current(wanted);
		}, TYPING_MS);
		return () => clearTimeout(timer);
	}, [text]);

	return (
		<div className={clsx("relative min-w-0", className)}>
			<Search aria-hidden className="pointer-events-none absolute top-2 start-2.5 size-4 text-muted" />
			<input
				ref={input}
				type="search"
				title={`${label} (/)`}
				aria-label={label}
				placeholder={label}
				className={inputClass(false, "ps-8")}
				value={text}
				maxLength={1_000}
				onChange={(event) => setText(event.target.value)}
			/>
		</div>
	);
}
