"use client";

import type { ChangeRecording, Recording } from "@tapedeck/contract/recording.ts";
import type { Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { printTerm } from "@tapedeck/contract/search.ts";
import { ExternalLink, Plus, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { Button } from "#components/ui/button.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { useChangeRecording } from "./change-recording.ts";
import { labelIn } from "./label-text.ts";
import { OUTCOME_OPTIONS } from "./outcome-badge.tsx";
import type { SourceLinks } from "./source-links.ts";
import { useSourceLinks } from "./use-source-links.ts";

/**
 * The outcome and the labels of a recording. A label links to all other items with the same label, and next to it to
 * the CI job, the commit or the branch itself.
 */
export function LabelsEditor({ recording }: { recording: Recording }) {
	const mayWrite = useCan("recordings:write");
	const change = useChangeRecording(recording.id);
	const send = (changes: ChangeRecording) =>
		void toastOutcome(change.mutateAsync(changes), { failed: "Couldn't change the recording." });
	const labels = Object.entries(recording.labels);
	const links = useSourceLinks(recording.labels);
	if (!mayWrite && labels.length === 0) return null;
	return (
		<div className="flex flex-wrap items-center gap-2">
			{mayWrite ? (
				<select
					aria-label="Outcome"
					value={recording.outcome ?? ""}
					onChange={({ target }) => send({ outcome: target.value === "" ? null : (target.value as Outcome) })}
					className={inputClass(false, "w-auto!")}
				>
					<option value="">No outcome</option>
					{OUTCOME_OPTIONS.map(([value, name]) => (
						<option key={value} value={value}>
							{name}
						</option>
					))}
				</select>
			) : null}
			{labels.length > 0 ? (
				<ul aria-label="Labels" className="flex min-w-0 flex-wrap gap-1.5">
					{labels.map(([key, value]) => (
						<li
							key={key}
							className="flex h-7 min-w-0 max-w-full items-center rounded-full border border-line bg-surface text-xs"
						>
							<Link
								href={`/recordings?q=${encodeURIComponent(printTerm({ kind: "label", key, value, not: false }))}`}
								title={`All recordings with ${key}=${value}`}
								className="flex h-full min-w-0 items-center rounded-full px-2.5 hover:underline"
							>
								<span className="min-w-0 truncate">
									<span className="text-muted">{key}</span> {value}
								</span>
							</Link>
							<SourceLink label={key} links={links} />
							{mayWrite ? (
								<button
									type="button"
									aria-label={`Remove label ${key}`}
									title={`Remove label ${key}`}
									onClick={() => send({ labels: { [key]: null } })}
									className="me-0.5 grid size-6 shrink-0 place-items-center rounded-full text-muted hover:text-ink pointer-coarse:size-7"
								>
									<X aria-hidden className="size-3" />
								</button>
							) : null}
						</li>
					))}
				</ul>
			) : null}
			{mayWrite ? <AddLabel onAdd={send} /> : null}
		</div>
	);
}

const SOURCES = new Map<string, { key: keyof SourceLinks; name: string }>([
	["ci.url", { key: "ci.url", name: "CI job" }],
	["commit", { key: "commit", name: "commit" }],
	["branch", { key: "branch", name: "branch" }],
]);

/** Links to the source that a label names, outside Tapedeck. Empty if its address is unknown. */
function SourceLink({ label, links }: { label: string; links: SourceLinks }) {
	const source = SOURCES.get(label);
	const href = source === undefined ? undefined : links[source.key];
	if (source === undefined || href === undefined) return null;
	return (
		<a
			href={href}
			target="_blank"
			rel="noreferrer"
			aria-label={`Open the ${source.name}`}
			title={`Open the ${source.name}: ${href}`}
			className="me-0.5 grid size-6 shrink-0 place-items-center rounded-full text-muted hover:text-ink pointer-coarse:size-7"
		>
			<ExternalLink aria-hidden className="size-3" />
		</a>
	);
}

function AddLabel({ onAdd }: { onAdd(changes: ChangeRecording): void }) {
	const [text, setText] = useState<string | null>(null);
	/** Then the button has the focus again. The label that was added stands before it, where the form was. */
	const [wasOpen, setWasOpen] = useState(false);
	if (text === null) {
		const open = () => {
			setText("");
			setWasOpen(true);
		};
		return (
			<Button variant="ghost" autoFocus={wasOpen} onClick={open}>
				<Plus aria-hidden className="size-4" />
				Add label
			</Button>
		);
	}
	const add = (event: FormEvent) => {
		event.preventDefault();
		const label = labelIn(text);
		if (label !== null) onAdd({ labels: { [label.key]: label.value } });
		setText(null);
	};
	return (
		<form onSubmit={add} className="flex items-center gap-1.5">
			<input
				// biome-ignore lint/a11y/noAutofocus: the field is what the button was pressed for
				autoFocus
				aria-label="New label"
				placeholder="key=value"
				value={text}
				onChange={({ target }) => setText(target.value)}
				onKeyDown={(event) => {
					if (event.key !== "Escape") return;
					event.stopPropagation();
					setText(null);
				}}
				className={inputClass(false, "w-44!")}
			/>
			<Button type="submit">Add</Button>
		</form>
	);
}
