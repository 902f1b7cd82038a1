"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { formatInstant } from "#lib/client/format.ts";
import type { NewMarker } from "#lib/client/markers.ts";
import { MARKER_KINDS } from "#lib/contract/marker-kinds.ts";
import { markerTexts as texts } from "#lib/texts/player.ts";

interface Props {
	/** The moment that is named: where the video was when the form was asked for. */
	seconds: number;
	onAdd(marker: NewMarker): void;
	onClose(): void;
}

/** Names a moment: a word, Enter, done. Escape leaves it. */
export function MarkerForm({ seconds, onAdd, onClose }: Props) {
	const [label, setLabel] = useState("");
	const [kind, setKind] = useState<NewMarker["kind"]>("note");
	const form = useRef<HTMLFormElement>(null);
	useEscape(form, onClose);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (label.trim() === "") return;
		onAdd({ label: label.trim(), kind, seconds });
		onClose();
	};
	return (
		<form ref={form} onSubmit={submit} className="flex flex-wrap items-center gap-2 border-b border-line p-3">
			<input
				// biome-ignore lint/a11y/noAutofocus: whoever asked for the form wants to type
				autoFocus
				aria-label={texts.label}
				placeholder={texts.placeholder(formatInstant(seconds))}
				maxLength={200}
				autoComplete="off"
				value={label}
				onChange={(event) => setLabel(event.target.value)}
				className={inputClass(false, "basis-48 flex-1")}
			/>
			<select
				aria-label={texts.kind}
				value={kind}
				onChange={(event) => setKind(event.target.value as NewMarker["kind"])}
				className={inputClass(false, "w-28")}
			>
				{MARKER_KINDS.map((one) => (
					<option key={one} value={one}>
						{texts.kinds[one]}
					</option>
				))}
			</select>
			<span className="ms-auto flex gap-2">
				<Button onClick={onClose}>{texts.cancel}</Button>
				<Button type="submit" look="primary" disabled={label.trim() === ""}>
					{texts.save}
				</Button>
			</span>
		</form>
	);
}

/** Escape in the form closes the form alone: a drawer around it hears of keys before the form does. */
function useEscape(form: { readonly current: HTMLElement | null }, onEscape: () => void): void {
	const latest = useRef(onEscape);
	latest.current = onEscape;
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.key !== "Escape" || form.current?.contains(event.target as Node) !== true) return;
			event.stopPropagation();
			event.preventDefault();
			latest.current();
		};
		window.addEventListener("keydown", onKey, { capture: true });
		return () => window.removeEventListener("keydown", onKey, { capture: true });
	}, [form]);
}
