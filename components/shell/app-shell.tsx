import type { SessionUser } from "@tapedeck/contract/identity.ts";
import type { ReactNode } from "react";
import { FocusKeeper } from "#components/navigation/focus-keeper.ts";
import { Link } from "#components/navigation/link.tsx";
import { WaitingAlert } from "#components/runners/waiting-alert.tsx";
import { UploadTrayPlace } from "#components/uploads/upload-tray-place.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import { DeletionBanner } from "./deletion-banner.tsx";
import { Overlays } from "./overlays.tsx";
import { PageTitle } from "./page-title.tsx";
import { Providers } from "./providers.tsx";
import { GuidesLink, MainNav, SearchButton, UserMenu } from "./sidebar.tsx";
import { StorageBanner } from "./storage-banner.tsx";
import { Wordmark } from "./wordmark.tsx";

/** The frame around every page: the bar at the side, on a phone at the bottom. A window that is lower than its minimum scrolls it. */
export function AppShell({ user, children }: { user: SessionUser; children: ReactNode }) {
	return (
		<Providers user={user}>
			<a
				href="#content"
				className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:start-2"
			>
				Skip to content
			</a>
			<div className="page-frame flex h-dvh min-h-120 flex-col md:min-h-80 md:flex-row">
				<header className="flex items-center justify-between border-b border-line py-0.5 ps-4 pe-1.5 md:hidden print:hidden">
					<HomeLink />
					<div className="flex items-center">
						<SearchButton compact />
						<UserMenu compact />
					</div>
				</header>
				<aside
					aria-label="Sidebar"
					className="order-last border-t border-line bg-surface md:order-none md:flex md:w-52 md:flex-col md:border-t-0 md:border-e print:hidden"
				>
					<div className="hidden px-4 pt-4 pb-3 md:block">
						<HomeLink />
					</div>
					<div className="hidden px-2 pb-3 md:block">
						<SearchButton />
					</div>
					<MainNav />
					<div className="mt-auto hidden p-2 md:block">
						<GuidesLink />
					</div>
					<div className="hidden border-t border-line p-2 md:block">
						<UserMenu />
					</div>
				</aside>
				<main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
					<DeletionBanner />
					<StorageBanner />
					<WaitingAlert />
					{children}
					<UploadTrayPlace />
				</main>
			</div>
			<ConnectionBar />
			<Overlays />
			<PageTitle />
			<FocusKeeper />
		</Providers>
	);
}

/** The name of the product, which leads home. */
const HomeLink = () => (
	<Link href="/" title="Home" className="-mx-1 flex min-h-8 w-fit items-center rounded-md px-1">
		<Wordmark />
	</Link>
);
