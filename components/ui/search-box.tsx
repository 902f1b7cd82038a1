"use client";

import { clsx } from "clsx";
import { Search } from "lucide-react";
import { type ComponentType, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useShortcuts, useSingleKeys } from "#components/navigation/use-shortcuts.ts";
import { inputClass } from "./field.tsx";
import { useLazyModule } from "./use-lazy-module.ts";

/** The search starts when typing pauses for this long. */
const TYPING_MS = 180;

interface CompletionProps {
	input: RefObject<HTMLInputElement | null>;
	text: string;
	onChange(text: string): void;
}

interface Props {
	label: string;
	value: string;
	onChange(value: string): void;
	/** Loads what completes the text, once the field has the focus; a stable function. Left out for plain text. */
	loadCompletion?(): Promise<ComponentType<CompletionProps> | null>;
	maxLength?: number;
	className?: string;
}

const noCompletion = async () => null;

/** A search field. `/` focuses it from anywhere on the page. */
export function SearchBox(props: Props) {
	const { label, value, onChange, loadCompletion = noCompletion, maxLength = 1_000, className } = props;
	const [text, setText] = useState(value);
	const input = useRef<HTMLInputElement>(null);
	const singleKeys = useSingleKeys();
	const [Completion, fetch] = useLazyModule(loadCompletion);
	useShortcuts({ search: () => input.current?.select() });
	const sent = useRef(value);
	const change = useRef(onChange);
	change.current = onChange;

	// Typed before the page's scripts ran: React keeps it in the field, but has not noticed it.
	useLayoutEffect(() => setText((now) => input.current?.value ?? now), []);

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
				title={singleKeys ? `${label} (/)` : label}
				aria-label={label}
				placeholder={label}
				className={inputClass(false, "ps-8")}
				value={text}
				maxLength={maxLength}
				autoComplete="off"
				onFocus={() => void fetch(true)}
				onChange={(event) => setText(event.target.value)}
			/>
			{Completion === null ? null : <Completion input={input} text={text} onChange={setText} />}
		</div>
	);
}
