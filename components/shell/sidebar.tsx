"use client";

import { clsx } from "clsx";
import {
	BookOpen,
	ChevronsUpDown,
	Film,
	House,
	Layers,
	ListChecks,
	ListVideo,
	Search,
	Server,
	Settings,
	TriangleAlert,
} from "lucide-react";
import { usePathname } from "next/navigation";
import { useSession } from "#components/account/use-session.ts";
import { UnseenFailures } from "#components/failures/unseen-failures.tsx";
import { Link } from "#components/navigation/link.tsx";
import { showOverlay } from "#components/navigation/overlay.ts";
import { modKey } from "#components/navigation/use-shortcuts.ts";
import { MenuButton } from "#components/ui/menu-button.tsx";
import { useClientValue } from "#components/ui/use-client-value.ts";
import { preparePalette } from "./overlays.tsx";

const PAGES = [
	["Home", "/", House],
	["Jobs", "/jobs", ListVideo],
	["Recordings", "/recordings", Film],
	["Builds", "/builds", Layers],
	["Tests", "/tests", ListChecks],
	["Failures", "/failures", TriangleAlert],
	["Runners", "/runners", Server],
	["Settings", "/settings", Settings],
] as const;

export function MainNav() {
	const path = usePathname();
	return (
		<nav aria-label="Main" className="px-2 pb-[env(safe-area-inset-bottom)] md:pb-0">
			<ul className="flex justify-around gap-0.5 md:flex-col">
				{PAGES.map(([name, href, Icon]) => {
					const here = path === href || path.startsWith(`${href}/`);
					return (
						// A phone has no space for all of them: its header leads home.
						<li key={name} className={clsx("flex-1 md:flex-none", href === "/" && "max-md:hidden")}>
							<Link
								href={href}
								aria-current={here ? "page" : undefined}
								className={clsx(
									"relative flex flex-col items-center gap-0.5 rounded-md py-1.5 text-[11px] font-medium md:flex-row md:gap-2.5 md:px-2 md:text-sm",
									here ? "text-ink md:bg-hover" : "text-muted hover:text-ink md:hover:bg-hover",
								)}
							>
								<Icon aria-hidden className={clsx("size-4", here && "text-accent")} />
								{name}
								{name === "Failures" ? <UnseenFailures /> : null}
							</Link>
						</li>
					);
				})}
			</ul>
		</nav>
	);
}

/** Opens the guides, which are pages without a sidebar. */
export const GuidesLink = () => (
	<a
		href="/docs/guides"
		className="flex items-center gap-2.5 rounded-md px-2 py-1.5 text-sm font-medium text-muted hover:bg-hover hover:text-ink"
	>
		<BookOpen aria-hidden className="size-4" />
		Guides
	</a>
);

/** Opens the command palette: at the side with its key, on a phone as an icon. */
export function SearchButton({ compact = false }: { compact?: boolean }) {
	const key = useClientValue(modKey, "Ctrl");
	return (
		<button
			type="button"
			aria-label={compact ? "Search…" : undefined}
			aria-keyshortcuts={compact ? undefined : "Control+K Meta+K"}
			aria-haspopup="dialog"
			onPointerEnter={preparePalette}
			onFocus={preparePalette}
			onClick={() => showOverlay("palette")}
			className={clsx(
				"flex items-center rounded-md text-muted hover:text-ink",
				compact
					? "size-11 justify-center hover:bg-hover"
					: "h-8 w-full gap-2 border border-line bg-canvas ps-2 pe-1.5 text-sm hover:bg-hover",
			)}
		>
			<Search aria-hidden className="size-4 shrink-0" />
			{compact ? null : (
				<>
					<span className="flex-1 text-start">Search…</span>
					<kbd aria-hidden className="rounded border border-line bg-surface px-1 font-sans text-[11px] leading-4">
						{`${key} K`}
					</kbd>
				</>
			)}
		</button>
	);
}

const loadMenu = () => import("./user-menu-items.tsx").then((module) => module.UserMenuItems);

/** The signed-in user, with the menu to sign out. */
export function UserMenu({ compact = false }: { compact?: boolean }) {
	const user = useSession();
	const initial = (user.name || user.email).slice(0, 1).toUpperCase();
	return (
		<MenuButton
			load={loadMenu}
			menu={(Items, control) => <Items user={user} align={compact ? "end" : "start"} {...control} />}
			aria-label={compact ? "Your account" : `Your account: ${user.name} ${user.organizationName}`}
			className={clsx(
				"flex items-center gap-2.5 rounded-md text-start hover:bg-hover",
				compact ? "size-11 justify-center" : "w-full p-1.5",
			)}
		>
			<span
				// Not text: the button's accessible name has the whole name.
				data-initial={initial}
				className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent before:content-[attr(data-initial)]"
			/>
			{compact ? null : (
				<>
					<span className="min-w-0 flex-1">
						<span className="block truncate text-sm font-medium">{user.name}</span>
						{/* Keeps the two apart where the button's text is read as its name. */}{" "}
						<span className="block truncate text-xs text-muted">{user.organizationName}</span>
					</span>
					<ChevronsUpDown aria-hidden className="size-3.5 text-muted" />
				</>
			)}
		</MenuButton>
	);
}
