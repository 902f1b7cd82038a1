"use client";

import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogDescription, DialogRoot, DialogTitle } from "#components/ui/dialog.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { useRemoveRunner } from "#lib/client/runners.ts";
import type { Runner } from "#lib/contract/runner.ts";
import { removeTexts as texts } from "#lib/texts/runner-actions.ts";
import { uiTexts } from "#lib/texts/ui.ts";

interface Props {
	runner: Runner;
	open: boolean;
	onOpenChange(open: boolean): void;
}

/** Says what removing a runner means, right now, and asks. */
export function RemoveRunnerDialog({ runner, open, onOpenChange }: Props) {
	const remove = useRemoveRunner();
	const confirm = () => {
		remove.mutate(runner.id, {
			onSuccess: () => toast.success(texts.removed(runner.name)),
			onError: (error) => toast.error(texts.notRemoved(runner.name, wordsOf(error))),
		});
		onOpenChange(false);
	};
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent narrow>
				<div className="overflow-y-auto p-5">
					<DialogTitle className="text-lg font-semibold break-words">{texts.title(runner.name)}</DialogTitle>
					<DialogDescription className="mt-1 text-sm text-muted">{texts.lead}</DialogDescription>
					<ul className="mt-3 flex list-disc flex-col gap-1.5 ps-5 text-sm">
						{meaningOf(runner).map((sentence) => (
							<li key={sentence}>{sentence}</li>
						))}
					</ul>
					<div className="mt-5 flex justify-end gap-2">
						<Button onClick={() => onOpenChange(false)}>{uiTexts.keep}</Button>
						<Button look="danger" onClick={confirm}>
							{texts.action}
						</Button>
					</div>
				</div>
			</DialogContent>
		</DialogRoot>
	);
}

function meaningOf({ state, waitingJobIds, runningJobIds }: Runner): string[] {
	const online = state === "online";
	const running = online ? texts.runningOnline : texts.runningOffline;
	return [
		...(waitingJobIds.length > 0 ? [texts.waiting(waitingJobIds.length)] : []),
		...(runningJobIds.length > 0 ? [running(runningJobIds.length)] : []),
		...(online ? [texts.stops] : [texts.unsent]),
		texts.kept,
		texts.token,
	];
}
