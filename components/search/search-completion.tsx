"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Page } from "@tapedeck/contract/page.ts";
import { printSearch } from "@tapedeck/contract/search.ts";
import { clsx } from "clsx";
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { call } from "#lib/client/api.ts";
import { counted } from "#lib/client/format.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { type Completable, completableAt, completed } from "./search-completion.ts";

interface Props {
	input: RefObject<HTMLInputElement | null>;
	text: string;
	onChange(text: string): void;
}

/**
 * Suggestions below a search field: keys, and the values that there are. The arrow keys choose one, Enter takes it,
 * Escape closes. The field keeps the focus and its role, and says by `aria-activedescendant` which one is chosen.
 */
export function SearchCompletion({ input, text, onChange }: Props) {
	const id = useId();
	const { caret, isFocused, isAsked, setAsked } = useCaret(input, text);
	const [closedFor, setClosedFor] = useState<string | null>(null);
	const [active, setActive] = useState(-1);
	const part = isFocused && closedFor !== text ? completableAt(text, caret, isAsked) : null;
	const choices = useChoices(part);
	const isOpen = part !== null && choices.length > 0;
	const chosen = isOpen ? Math.min(active, choices.length - 1) : -1;
	const optionId = (index: number) => `${id}-${index}`;

	const caretAfter = useRef<number | null>(null);
	const take = (choice: string) => {
		if (part === null) return;
		const next = completed(text, part, choice);
		caretAfter.current = next.caret;
		setActive(-1);
		setAsked(false);
		onChange(next.text);
	};
	useLayoutEffect(() => {
		if (caretAfter.current === null || input.current?.value !== text) return;
		input.current.setSelectionRange(caretAfter.current, caretAfter.current);
		caretAfter.current = null;
	});

	const onKey = (event: KeyboardEvent) => {
		if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
		if (event.key === "ArrowDown" && !isOpen) {
			setClosedFor(null);
			setAsked(true);
			return event.preventDefault();
		}
		if (!isOpen) return;
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		const choice = choices[chosen];
		if (step !== undefined)
			setActive((chosen + step + choices.length + (chosen < 0 && step < 0 ? 1 : 0)) % choices.length);
		else if (event.key === "Escape") {
			setClosedFor(text);
			setActive(-1);
			event.stopPropagation();
		} else if (event.key === "Enter" && choice !== undefined) take(choice);
		else return;
		event.preventDefault();
	};
	useListener(input, onKey);
	useDescription(input, {
		"aria-autocomplete": "list",
		"aria-controls": isOpen ? id : null,
		"aria-activedescendant": chosen < 0 ? null : optionId(chosen),
	});

	return (
		<>
			<span role="status" className="sr-only">
				{isOpen ? counted(choices.length, "suggestion", "suggestions") : ""}
			</span>
			{isOpen ? (
				<div
					id={id}
					role="listbox"
					aria-label="Suggestions"
					className="absolute start-0 top-full z-30 mt-1 max-h-72 w-full min-w-56 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-float"
				>
					{choices.map((choice, index) => (
						<div
							key={choice}
							id={optionId(index)}
							role="option"
							tabIndex={-1}
							aria-selected={index === chosen}
							// The field keeps the focus.
							onPointerDown={(event) => event.preventDefault()}
							onClick={() => take(choice)}
							onKeyDown={undefined}
							className={clsx(
								"cursor-pointer truncate rounded-md px-2 py-1 font-mono text-xs pointer-coarse:py-2.5",
								index === chosen ? "bg-accent-soft" : "hover:bg-hover",
							)}
						>
							{choice}
						</div>
					))}
				</div>
			) : null}
		</>
	);
}

/** The position of the caret in a field, while it has the focus and nothing is selected. */
function useCaret(input: RefObject<HTMLInputElement | null>, text: string) {
	const [caret, setCaret] = useState(text.length);
	const [isFocused, setFocused] = useState(false);
	const [isAsked, setAsked] = useState(false);
	useEffect(() => {
		const field = input.current;
		if (field === null) return;
		const follow = () => {
			setFocused(document.activeElement === field && field.selectionStart === field.selectionEnd);
			setCaret(field.selectionEnd ?? field.value.length);
		};
		const leave = () => {
			setFocused(false);
			setAsked(false);
		};
		follow();
		document.addEventListener("selectionchange", follow);
		field.addEventListener("input", follow);
		field.addEventListener("focus", follow);
		field.addEventListener("blur", leave);
		return () => {
			document.removeEventListener("selectionchange", follow);
			field.removeEventListener("input", follow);
			field.removeEventListener("focus", follow);
			field.removeEventListener("blur", leave);
		};
	}, [input]);
	return { caret: Math.min(caret, text.length), isFocused, isAsked, setAsked };
}

function useListener(input: RefObject<HTMLInputElement | null>, onKey: (event: KeyboardEvent) => void): void {
	const current = useRef(onKey);
	current.current = onKey;
	useEffect(() => {
		const field = input.current;
		const listen = (event: KeyboardEvent) => current.current(event);
		field?.addEventListener("keydown", listen);
		return () => field?.removeEventListener("keydown", listen);
	}, [input]);
}

/** Attributes of the field, which is drawn before this module is loaded. */
function useDescription(input: RefObject<HTMLInputElement | null>, attributes: Record<string, string | null>): void {
	useLayoutEffect(() => {
		for (const [name, value] of Object.entries(attributes)) {
			if (value === null) input.current?.removeAttribute(name);
			else input.current?.setAttribute(name, value);
		}
	});
}

const SOON_MS = 10_000;
const MOST = 12;

/** Titles of the tests that ran last, and have this text. */
async function titlesWith(text: string, signal: AbortSignal): Promise<string[]> {
	const q = text === "" ? undefined : printSearch([{ kind: "word", not: false, text }]);
	const { data } = await call<Page<{ test: string }>>("GET", "/v1/tests", { query: { q, limit: 100 }, signal });
	return data.map(({ test }) => test);
}

/** At most a dozen completions of the part. */
function useChoices(part: Completable | null): readonly string[] {
	const key = part?.kind === "labelValue" ? part.key : undefined;
	const prefix = part?.prefix ?? "";
	const isLabel = part?.kind === "labelKey" || part?.kind === "labelValue";
	const labels = useQuery({
		queryKey: ["labels", key ?? null, prefix],
		queryFn: async ({ signal }) =>
			(await call<{ data: string[] }>("GET", "/v1/labels", { query: { key, prefix }, signal })).data,
		enabled: isLabel,
		staleTime: SOON_MS,
		placeholderData: keepPreviousData,
	}).data;
	// `test:` also finds tests that were reported, which are no labels.
	const tests = useQuery({
		queryKey: ["testTitles", prefix],
		queryFn: ({ signal }) => titlesWith(prefix, signal),
		enabled: key === "test",
		staleTime: SOON_MS,
		placeholderData: keepPreviousData,
	}).data;
	const runners = useQuery({ ...runnersQuery(), enabled: part?.kind === "runner" }).data;
	if (part === null) return [];
	if (part.kind === "key" || part.kind === "value") return part.choices;
	const values = key === "test" ? [...new Set([...(tests ?? []), ...(labels ?? [])])] : (labels ?? []);
	const found = part.kind === "runner" ? (runners ?? []).map(({ name }) => name) : values;
	// While others load, those that were loaded before.
	return found.filter((one) => one.toLowerCase().startsWith(prefix.toLowerCase())).slice(0, MOST);
}
