"use client";

import { clsx } from "clsx";
import { ChevronsUpDown } from "lucide-react";
import { useSession } from "#components/session/use-session.ts";
import { MenuButton } from "#components/ui/menu-button.tsx";
import { shellTexts } from "#lib/texts/shell.ts";

const loadMenu = () => import("./user-menu-items.tsx").then((module) => module.UserMenuItems);

/** Who is signed in, and the way out. */
export function UserMenu({ compact = false }: { compact?: boolean }) {
	const user = useSession();
	const initial = (user.name || user.email).slice(0, 1).toUpperCase();
	return (
		<MenuButton
			load={loadMenu}
			menu={(Items, place) => <Items user={user} align={compact ? "end" : "start"} {...place} />}
			aria-label={compact ? shellTexts.yourAccount : shellTexts.accountOf(user.name, user.organizationName)}
			className={clsx(
				"flex items-center gap-2.5 rounded-md text-start hover:bg-hover",
				compact ? "size-11 justify-center" : "w-full p-1.5",
			)}
		>
			<span
				// Not text: it stands for the name, which the button is called by.
				data-initial={initial}
				className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent before:content-[attr(data-initial)]"
			/>
			{compact ? null : (
				<>
					<span className="min-w-0 flex-1">
						<span className="block truncate text-sm font-medium">{user.name}</span>
						{/* Two words for those who take the button's text for its name. */}{" "}
						<span className="block truncate text-xs text-muted">{user.organizationName}</span>
					</span>
					<ChevronsUpDown aria-hidden className="size-3.5 text-muted" />
				</>
			)}
		</MenuButton>
	);
}
