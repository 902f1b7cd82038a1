"use client";

import { useRef, useState } from "react";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { useKeys } from "#components/ui/use-keys.ts";

type Shortcut = readonly [does: string, ...keys: string[]];

const GROUPS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
	{
		title: "Jobs",
		shortcuts: [
			["Next job", "J", "↓"],
			["Previous job", "K", "↑"],
			["Open the job", "Enter"],
			["Cancel the open job", "C"],
			["Close the job", "Esc"],
			["Search jobs", "/"],
			["New job", "N"],
		],
	},
	{
		title: "Player",
		shortcuts: [
			["Play or pause", "Space", "K"],
			["Back 10 seconds", "J"],
			["Forward 10 seconds", "L"],
			["Back 5 seconds", "←"],
			["Forward 5 seconds", "→"],
			["Previous frame", ","],
			["Next frame", "."],
			["Full screen", "F"],
		],
	},
	{ title: "Everywhere", shortcuts: [["Show these shortcuts", "?"]] },
];

/** All keys, shown by `?` on every page and over the drawer of a job. */
export function ShortcutsDialog() {
	const [open, setOpen] = useState(false);
	const before = useRef<Element | null>(null);
	useKeys(
		{
			"?": () => {
				before.current = document.activeElement;
				setOpen(true);
			},
		},
		(dialog) => dialog.hasAttribute("data-drawer"),
	);
	return (
		<DialogRoot open={open} onOpenChange={setOpen}>
			<DialogContent
				aria-describedby={undefined}
				onCloseAutoFocus={(event) => {
					// No button opened it, so the focus goes back to where it was.
					event.preventDefault();
					if (before.current instanceof HTMLElement) before.current.focus();
				}}
			>
				<DialogHead title="Keyboard shortcuts" />
				<div className="grid gap-x-10 gap-y-5 overflow-y-auto p-5 sm:grid-cols-2">
					{GROUPS.map(({ title, shortcuts }) => (
						<section key={title}>
							<h3 className="mb-1 text-xs font-medium text-muted">{title}</h3>
							<dl>
								{shortcuts.map(([does, ...keys]) => (
									<div key={does} className="flex h-8 items-center justify-between gap-4 text-sm">
										<dt>{does}</dt>
										<dd className="flex shrink-0 gap-1">
											{keys.map((key) => (
												<kbd
													key={key}
													className="min-w-6 rounded border border-line bg-inset px-1.5 text-center font-sans text-xs leading-5"
												>
													{key}
												</kbd>
											))}
										</dd>
									</div>
								))}
							</dl>
						</section>
					))}
				</div>
			</DialogContent>
		</DialogRoot>
	);
}
