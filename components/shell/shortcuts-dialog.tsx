"use client";

import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { shortcutTexts } from "#lib/texts/shortcuts.ts";
import { commandKey } from "./command-key.ts";

interface Props {
	open: boolean;
	onClose(): void;
	onCloseAutoFocus(event: Event): void;
}

/** All keys, shown by `?` on every page and over the drawer of a job. */
export function ShortcutsDialog({ open, onClose, onCloseAutoFocus }: Props) {
	return (
		<DialogRoot open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
			<DialogContent aria-describedby={undefined} onCloseAutoFocus={onCloseAutoFocus}>
				<DialogHead title={shortcutTexts.title} />
				{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
				<div tabIndex={0} className="grid gap-x-10 gap-y-5 overflow-y-auto p-5 -outline-offset-2 sm:grid-cols-2">
					{shortcutTexts.groups(commandKey()).map(({ title, shortcuts }) => (
						<section key={title}>
							<h3 className="mb-1 text-xs font-medium text-muted">{title}</h3>
							<dl>
								{shortcuts.map(({ does, keys }) => (
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
