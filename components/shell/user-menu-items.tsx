"use client";

import type { SessionUser } from "@tapedeck/contract/identity.ts";
import { BookOpen, Building2, Keyboard, LogOut, Settings } from "lucide-react";
import { signOutAndLeave, switchOrganization } from "#components/account/session-changes.ts";
import { showOverlay } from "#components/navigation/overlay.ts";
import { useNavigate } from "#components/navigation/use-navigate.ts";
import { MenuItem, MenuLabel, MenuPanel, MenuSeparator } from "#components/ui/menu.tsx";
import type { MenuControl } from "#components/ui/menu-button.tsx";

/** The menu of the person who is signed in. */
export function UserMenuItems({ user, ...control }: MenuControl & { user: SessionUser; align: "start" | "end" }) {
	const goTo = useNavigate();
	const others = user.organizations.filter(({ id }) => id !== user.organizationId);
	return (
		<MenuPanel {...control} className="w-56">
			<MenuLabel>
				<span className="block truncate">{user.email}</span>
				<span className="block truncate">{`${user.role} of ${user.organizationName}`}</span>
			</MenuLabel>
			<MenuSeparator />
			{others.map(({ id, name }) => (
				<MenuItem key={id} onSelect={() => void switchOrganization(id)}>
					<Building2 aria-hidden />
					<span className="truncate">{`Switch to ${name}`}</span>
				</MenuItem>
			))}
			<MenuItem onSelect={() => goTo("/settings")}>
				<Settings aria-hidden />
				Settings
			</MenuItem>
			<MenuItem onSelect={() => showOverlay("shortcuts")}>
				<Keyboard aria-hidden />
				Keyboard shortcuts
			</MenuItem>
			<MenuItem onSelect={() => location.assign("/docs/guides")}>
				<BookOpen aria-hidden />
				Guides
			</MenuItem>
			<MenuItem onSelect={() => void signOutAndLeave()}>
				<LogOut aria-hidden />
				Sign out
			</MenuItem>
		</MenuPanel>
	);
}
