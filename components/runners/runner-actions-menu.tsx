"use client";

import { Copy, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useCan } from "#components/session/use-session.ts";
import { copyText } from "#components/ui/copy.ts";
import { MenuItem, MenuPanel, MenuSeparator } from "#components/ui/menu.tsx";
import type { MenuPlace } from "#components/ui/menu-button.tsx";
import { toast } from "#components/ui/toast.ts";
import type { Runner } from "#lib/contract/runner.ts";
import { runnerActionTexts as texts } from "#lib/texts/runner-actions.ts";
import { RemoveRunnerDialog } from "./remove-runner-dialog.tsx";
import { RenameRunnerDialog } from "./rename-runner-dialog.tsx";

async function copyId(id: number): Promise<void> {
	if (await copyText(String(id))) toast.success(texts.copied(id));
	else toast.error(texts.notCopied(id));
}

/** What can be done with a runner, by those who may. */
export function RunnerActionsMenu({ runner, ...place }: MenuPlace & { runner: Runner }) {
	const [asked, setAsked] = useState<"rename" | "remove" | null>(null);
	const mayRename = useCan("write");
	const mayRemove = useCan("administer");
	const close = (open: boolean) => setAsked((now) => (open ? now : null));
	return (
		<>
			<MenuPanel {...place}>
				{mayRename ? (
					<MenuItem onSelect={() => setAsked("rename")}>
						<Pencil aria-hidden />
						{texts.rename}
					</MenuItem>
				) : null}
				<MenuItem onSelect={() => void copyId(runner.id)}>
					<Copy aria-hidden />
					{texts.copyId}
				</MenuItem>
				{mayRemove ? (
					<>
						<MenuSeparator />
						<MenuItem danger onSelect={() => setAsked("remove")}>
							<Trash2 aria-hidden />
							{texts.remove}
						</MenuItem>
					</>
				) : null}
			</MenuPanel>
			<RenameRunnerDialog runner={runner} open={asked === "rename"} onOpenChange={close} />
			<RemoveRunnerDialog runner={runner} open={asked === "remove"} onOpenChange={close} />
		</>
	);
}
