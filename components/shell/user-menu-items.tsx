"use client";

import { Building2, Keyboard, LogOut, Settings } from "lucide-react";
import { leave } from "#components/session/leave.ts";
import { switchOrganization } from "#components/session/switch-organization.ts";
import { MenuItem, MenuLabel, MenuPanel, MenuSeparator } from "#components/ui/menu.tsx";
import type { MenuPlace } from "#components/ui/menu-button.tsx";
import type { SessionUser } from "#lib/contract/organization.ts";
import { shellTexts } from "#lib/texts/shell.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { useGoTo } from "./use-go-to.ts";

/** The menu of the person who is signed in. */
export function UserMenuItems({ user, ...place }: MenuPlace & { user: SessionUser; align: "start" | "end" }) {
	const goTo = useGoTo();
	const others = user.organizations.filter(({ id }) => id !== user.organizationId);
	return (
		<MenuPanel {...place} className="w-56">
			<MenuLabel>
				<span className="block truncate">{user.email}</span>
				<span className="block truncate">{shellTexts.roleOf(user.role, user.organizationName)}</span>
			</MenuLabel>
			<MenuSeparator />
			{others.map(({ id, name }) => (
				<MenuItem key={id} onSelect={() => void switchOrganization(id)}>
					<Building2 aria-hidden />
					<span className="truncate">{shellTexts.switchTo(name)}</span>
				</MenuItem>
			))}
			<MenuItem onSelect={() => goTo("/settings")}>
				<Settings aria-hidden />
				{shellTexts.settings}
			</MenuItem>
			<MenuItem onSelect={() => showOverlay("shortcuts")}>
				<Keyboard aria-hidden />
				{shellTexts.shortcuts}
			</MenuItem>
			<MenuItem onSelect={() => void leave()}>
				<LogOut aria-hidden />
				{shellTexts.signOut}
			</MenuItem>
		</MenuPanel>
	);
}
