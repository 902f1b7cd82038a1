"use client";

import { DialogButton } from "#components/ui/dialog-button.tsx";
import type { ViewPage } from "#lib/contract/view.ts";

const loadDialog = () => import("./save-view-dialog.tsx").then((module) => module.SaveViewDialog);

/** Gives the filters of a list a name. */
export const SaveViewButton = ({ page, query }: { page: ViewPage; query: string }) => (
	<DialogButton
		variant="ghost"
		load={loadDialog}
		dialog={(Dialog, control) => <Dialog page={page} query={query} {...control} />}
	>
		Save view
	</DialogButton>
);
