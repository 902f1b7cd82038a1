"use client";

import type { ViewPage } from "@tapedeck/contract/view.ts";
import { useEffect } from "react";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useLazyModule } from "#components/ui/use-lazy-module.ts";

const loadForm = () => import("./save-view-form.tsx").then((module) => module.SaveViewForm);

interface Props {
	page: ViewPage;
	query: string;
}

/** Asks for the name of a view, and whose it is. It opens at once; its form loads after it. */
export function SaveViewDialog({ page, query, open, onOpenChange, ...content }: Props & DialogControl) {
	const [SaveViewForm, fetchForm] = useLazyModule(loadForm);
	useEffect(() => {
		if (open) void fetchForm().then((loaded) => loaded || onOpenChange(false));
	}, [open, fetchForm, onOpenChange]);
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent narrow {...content}>
				<DialogHead title="Save view" description="Saves the current search, filters and sort order." />
				{SaveViewForm === null ? <Skeleton className="m-5 h-24" /> : null}
				{open && SaveViewForm !== null ? (
					<SaveViewForm page={page} query={query} onDone={() => onOpenChange(false)} />
				) : null}
			</DialogContent>
		</DialogRoot>
	);
}
