"use client";

import { useQuery } from "@tanstack/react-query";
import type { SavedView, ViewPage } from "@tapedeck/contract/view.ts";
import { Check, Settings2 } from "lucide-react";
import { useState } from "react";
import { MenuItem, MenuLabel, MenuPanel, MenuSeparator } from "#components/ui/menu.tsx";
import type { MenuControl } from "#components/ui/menu-button.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { ManageViewsDialog } from "./manage-views-dialog.tsx";
import { viewsQuery } from "./views.ts";

interface Props {
	page: ViewPage;
	/** The list's filters as in its URL, with the question mark. */
	search: string;
}

/** A person's own views and the organization's; choosing one shows its list. */
export function ViewsMenu({ page, search, ...control }: Props & MenuControl) {
	const [isManaging, setManaging] = useState(false);
	const views = useQuery({ ...viewsQuery(page), enabled: control.open || isManaging });
	const own = views.data?.filter(({ shared }) => !shared) ?? [];
	const shared = views.data?.filter((view) => view.shared) ?? [];
	const all = own.length + shared.length;
	return (
		<>
			<MenuPanel {...control} align="start" className="max-h-96 max-w-80 overflow-y-auto">
				{views.isError ? <MenuLabel>Couldn't load the views. {errorMessage(views.error)}</MenuLabel> : null}
				{views.isPending ? <MenuLabel>Loading…</MenuLabel> : null}
				{views.isSuccess && all === 0 ? (
					<MenuLabel>No views yet. Filter the list, then choose “Save view”.</MenuLabel>
				) : null}
				<Views title="My views" views={own} search={search} />
				<Views title="The organization's views" views={shared} search={search} />
				{all > 0 ? (
					<>
						<MenuSeparator />
						<MenuItem onSelect={() => setManaging(true)}>
							<Settings2 aria-hidden />
							Manage views
						</MenuItem>
					</>
				) : null}
			</MenuPanel>
			<ManageViewsDialog
				views={views.data ?? []}
				open={isManaging}
				onOpenChange={setManaging}
				onCloseAutoFocus={(event) => {
					event.preventDefault();
					control.trigger.current?.focus();
				}}
			/>
		</>
	);
}

interface ViewsProps {
	title: string;
	views: readonly SavedView[];
	search: string;
}

function Views({ title, views, search }: ViewsProps) {
	if (views.length === 0) return null;
	return (
		<>
			<MenuLabel>{title}</MenuLabel>
			{views.map(({ id, name, query }) => {
				const isShown = search === `?${query}`;
				return (
					<MenuItem
						key={id}
						aria-current={isShown ? "true" : undefined}
						// The page reads its filters from the address.
						onSelect={() => window.history.pushState(null, "", `${window.location.pathname}?${query}`)}
					>
						<span className="min-w-0 flex-1 truncate" title={name}>
							{name}
						</span>
						{isShown ? <Check aria-hidden /> : null}
					</MenuItem>
				);
			})}
		</>
	);
}
