"use client";

import type { ViewPage } from "@tapedeck/contract/view.ts";
import { Bookmark } from "lucide-react";
import { useEffect } from "react";
import { buttonClass } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { DialogButton, type DialogControl } from "#components/ui/dialog-button.tsx";
import { MenuButton } from "#components/ui/menu-button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useLazyModule } from "#components/ui/use-lazy-module.ts";

const loadMenu = () => import("./views-menu.tsx").then((module) => module.ViewsMenu);

interface Props {
	page: ViewPage;
	/** The list's filters as in its URL, with the question mark; empty without filters. */
	search: string;
}

/** The saved views of a list, and while the list is filtered, the button that saves these filters. */
export function ViewsButton({ page, search }: Props) {
	return (
		<>
			<MenuButton
				load={loadMenu}
				menu={(Menu, control) => <Menu page={page} search={search} {...control} />}
				className={buttonClass("secondary")}
			>
				<Bookmark aria-hidden className="size-4" />
				Views
			</MenuButton>
			{search === "" ? null : (
				<DialogButton
					variant="ghost"
					dialog={(control) => <SaveViewDialog page={page} query={search.slice(1)} {...control} />}
				>
					Save view
				</DialogButton>
			)}
		</>
	);
}

const loadForm = () => import("./save-view-form.tsx").then((module) => module.SaveViewForm);

/** Asks for the name of a view, and whose it is. It opens at once; its form loads after it. */
function SaveViewDialog({
	page,
	query,
	open,
	onOpenChange,
	...content
}: { page: ViewPage; query: string } & DialogControl) {
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
