"use client";

import { MARKER_KINDS, SESSION_MARKER, STALL_MARKER } from "@tapedeck/contract/recording-kinds.ts";
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { inputClass } from "#components/ui/field.tsx";
import type { NewMarker, TimedMarker } from "#lib/client/markers.ts";
import { MarkerMessage } from "../marker-message.tsx";
import { MARKER_LOOKS, type Markers, markerAt, OUTSIDE } from "./markers.tsx";
import { usePlayer, usePlayerState } from "./use-player.tsx";

/** The chapters of a video: a click goes there. */
export function MarkerList({ markers }: { markers: Markers }) {
	const { seek } = usePlayer();
	const current = usePlayerState(({ seconds }) => markerAt(markers.all, seconds)?.id);
	return (
		<ol aria-label="Markers" className="min-h-0 overflow-y-auto py-1">
			{markers.all.map((marker) => (
				<Entry
					key={marker.id}
					marker={marker}
					current={marker.id === current}
					onSeek={seek}
					// The server does not know a provisional marker yet, and stalls and sessions are facts.
					onDelete={markers.canEdit && marker.id > 0 && isOwn(marker) ? markers.remove : null}
				/>
			))}
		</ol>
	);
}

/** Whether a person or a script set the marker. */
const isOwn = ({ kind }: TimedMarker): boolean => kind !== STALL_MARKER && kind !== SESSION_MARKER;

function Entry(props: {
	marker: TimedMarker;
	current: boolean;
	onSeek(seconds: number): void;
	onDelete: ((marker: TimedMarker) => void) | null;
}) {
	const { marker, current, onSeek, onDelete } = props;
	const { name, Icon, tone } = MARKER_LOOKS[marker.kind];
	const deleteLabel = `Delete marker ${marker.label}`;
	return (
		<li className={clsx("group relative hover:bg-hover", current && "bg-accent-soft")}>
			<div className="flex items-center pe-2">
				<button
					type="button"
					aria-current={current ? "true" : undefined}
					onClick={() => onSeek(marker.seconds)}
					className="flex min-w-0 flex-1 items-center gap-2.5 py-1.5 ps-4 pe-2 text-start text-sm -outline-offset-2 max-sm:py-3"
				>
					<Icon aria-hidden className={clsx("size-4 shrink-0", tone)} />
					<span className="sr-only">{`${name}: `}</span>
					<span className="min-w-0 flex-1">
						<span className="block truncate" title={marker.label}>
							{marker.label}
						</span>
						{marker.clampedTo === null ? null : (
							<span className="block text-xs text-muted">{OUTSIDE[marker.clampedTo]}</span>
						)}
					</span>
					<span className="shrink-0 text-xs text-muted tabular-nums">{formatInstant(marker.seconds)}</span>
				</button>
				{onDelete === null ? null : (
					<button
						type="button"
						aria-label={deleteLabel}
						title={deleteLabel}
						onClick={() => onDelete(marker)}
						className={clsx(
							buttonClass("ghost", "icon"),
							"size-7 focus-visible:opacity-100 group-hover:opacity-100 max-sm:size-11 [@media(hover:hover)]:opacity-0",
						)}
					>
						<X aria-hidden className="size-4" />
					</button>
				)}
			</div>
			{marker.message === null ? null : (
				<MarkerMessage message={marker.message} label={marker.label} className="ms-10 me-2 mb-2" />
			)}
		</li>
	);
}

interface FormProps {
	/** The moment to mark. */
	seconds: number;
	onAdd(marker: NewMarker): void;
	onClose(): void;
}

/** Names a moment: a label, then Enter. Escape cancels. */
export function MarkerForm({ seconds, onAdd, onClose }: FormProps) {
	const [label, setLabel] = useState("");
	const [kind, setKind] = useState<NewMarker["kind"]>("note");
	const form = useRef<HTMLFormElement>(null);
	useEscape(form, onClose);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (label.trim() === "") return;
		onAdd({ label: label.trim(), kind, message: null, seconds });
		onClose();
	};
	return (
		<form ref={form} onSubmit={submit} className="flex flex-wrap items-center gap-2 border-b border-line p-3">
			<input
				// biome-ignore lint/a11y/noAutofocus: the form opens on request, to type in
				autoFocus
				aria-label="Marker label"
				placeholder={`What happened at ${formatInstant(seconds)}?`}
				maxLength={200}
				autoComplete="off"
				value={label}
				onChange={(event) => setLabel(event.target.value)}
				className={inputClass(false, "basis-48 flex-1")}
			/>
			<select
				aria-label="Marker kind"
				value={kind}
				onChange={(event) => setKind(event.target.value as NewMarker["kind"])}
				className={inputClass(false, "w-28")}
			>
				{MARKER_KINDS.map((one) => (
					<option key={one} value={one}>
						{MARKER_LOOKS[one].name}
					</option>
				))}
			</select>
			<span className="ms-auto flex gap-2">
				<Button onClick={onClose}>Cancel</Button>
				<Button type="submit" variant="primary" disabled={label.trim() === ""}>
					Save
				</Button>
			</span>
		</form>
	);
}

/** Escape in the form closes the form alone: a drawer around it would otherwise get the key first. */
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
