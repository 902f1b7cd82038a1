"use client";

import { clsx } from "clsx";
import { ChevronsUpDown, LogOut, Settings } from "lucide-react";
import { useRouter } from "next/navigation";
import { leave } from "#components/session/leave.ts";
import { MenuContent, MenuItem, MenuLabel, MenuRoot, MenuSeparator, MenuTrigger } from "#components/ui/menu.tsx";
import type { SessionUser } from "#lib/contract/organization.ts";

/** Who is signed in, and the way out. */
export function UserMenu({ user, compact = false }: { user: SessionUser; compact?: boolean }) {
	const router = useRouter();
	const initial = (user.name || user.email).slice(0, 1).toUpperCase();
	return (
		<MenuRoot>
			<MenuTrigger
				aria-label={compact ? "Your account" : `Your account: ${user.name} ${user.organizationName}`}
				className={clsx(
					"flex items-center gap-2.5 rounded-md text-start hover:bg-hover",
					compact ? "p-0.5" : "w-full p-1.5",
				)}
			>
				<span
					aria-hidden
					className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
				>
					{initial}
				</span>
				{compact ? null : (
					<>
						<span className="min-w-0 flex-1">
							<span className="block truncate text-sm font-medium">{user.name}</span>
							<span className="block truncate text-xs text-muted">{user.organizationName}</span>
						</span>
						<ChevronsUpDown aria-hidden className="size-3.5 text-muted" />
					</>
				)}
			</MenuTrigger>
			<MenuContent align={compact ? "end" : "start"} className="w-52">
				<MenuLabel>
					<span className="block truncate">{user.email}</span>
					<span className="block truncate">
						{user.role} of {user.organizationName}
					</span>
				</MenuLabel>
				<MenuSeparator />
				<MenuItem onSelect={() => router.push("/settings")}>
					<Settings aria-hidden />
					Settings
				</MenuItem>
				<MenuItem onSelect={() => void leave()}>
					<LogOut aria-hidden />
					Sign out
				</MenuItem>
			</MenuContent>
		</MenuRoot>
	);
}
