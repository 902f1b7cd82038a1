"use client";

import type { ViewPage } from "@tapedeck/contract/view.ts";
import { Bookmark } from "lucide-react";
import { buttonClass } from "#components/ui/button.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { MenuButton } from "#components/ui/menu-button.tsx";
import { SaveViewDialog } from "./save-view-dialog.tsx";

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
