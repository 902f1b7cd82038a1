"use client";

import { clsx } from "clsx";
import { Film, ListVideo, Server, Settings } from "lucide-react";
import { usePathname } from "next/navigation";
import { Link } from "#components/navigation/link.tsx";
import { shellTexts } from "#lib/texts/shell.ts";

const PAGES = [
	{ href: "/jobs", name: shellTexts.jobs, Icon: ListVideo },
	{ href: "/recordings", name: shellTexts.recordings, Icon: Film },
	{ href: "/runners", name: shellTexts.runners, Icon: Server },
	{ href: "/settings", name: shellTexts.settings, Icon: Settings },
] as const;

export function MainNav() {
	const path = usePathname();
	return (
		<nav aria-label={shellTexts.mainNavigation} className="px-2 pb-[env(safe-area-inset-bottom)] md:pb-0">
			<ul className="flex justify-around gap-0.5 md:flex-col">
				{PAGES.map(({ href, name, Icon }) => {
					const here = path === href || path.startsWith(`${href}/`);
					return (
						<li key={href} className="flex-1 md:flex-none">
							<Link
								href={href}
								prefetch={false}
								aria-current={here ? "page" : undefined}
								className={clsx(
									"flex flex-col items-center gap-0.5 rounded-md py-1.5 text-xs font-medium md:flex-row md:gap-2.5 md:px-2 md:text-sm",
									here ? "text-ink md:bg-hover" : "text-muted hover:text-ink md:hover:bg-hover",
								)}
							>
								<Icon aria-hidden className={clsx("size-4", here && "text-accent")} />
								{name}
							</Link>
						</li>
					);
				})}
			</ul>
		</nav>
	);
}
