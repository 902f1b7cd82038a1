"use client";

import { useQuery } from "@tanstack/react-query";
import type { Runner } from "@tapedeck/contract/runner.ts";
import { Plus, Server } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { LinkButton } from "#components/navigation/link-button.tsx";
import { closeOverlay, pushOverlay } from "#components/navigation/overlay-url.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { runnersQuery } from "#lib/client/runners.ts";
import { AddRunnerDialog } from "./add-runner-dialog.tsx";
import { RemoveOfflineDialog } from "./remove-offline-dialog.tsx";
import { RunnerCard } from "./runner-card.tsx";

/** The page with the form for a new runner. */
const ADD_RUNNER = "/runners?new=1";

const GRID = "grid grid-cols-1 gap-4 p-4 md:p-6 lg:grid-cols-2 2xl:grid-cols-3 min-[2200px]:grid-cols-4";

/** The page of the machines that record. */
export function RunnersPage() {
	const runners = useQuery(runnersQuery());
	const mayAdd = useCan("runners:manage");
	const offline = runners.data?.filter(({ state }) => state === "offline") ?? [];
	return (
		<div className="flex min-h-0 flex-1 flex-col">
			<div className="border-b border-line px-4 pt-4 pb-3 md:px-6">
				<PageHead title="Runners">
					<Link href="/coverage" className={buttonClass("secondary")}>
						Coverage
					</Link>
					{mayAdd && offline.length > 0 ? (
						<DialogButton dialog={(control) => <RemoveOfflineDialog runners={offline} {...control} />}>
							Remove offline…
						</DialogButton>
					) : null}
					{mayAdd ? <AddRunner /> : null}
				</PageHead>
			</div>
			<div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
				<NotLoaded what="the runners" of={runners} />
				{runners.isPending ? (
					<div className={GRID}>
						<Skeleton className="h-96 rounded-lg" />
						<Skeleton className="h-96 rounded-lg" />
					</div>
				) : null}
				{runners.data?.length === 0 ? (
					<EmptyState icon={Server} title="No runners yet">
						A runner is a small program on a Linux machine with X displays.{" "}
						{mayAdd
							? "Click “Add runner” above for a command to run there. The runner then appears here."
							: "An owner or admin of this organization can add one."}
					</EmptyState>
				) : null}
				{runners.data && runners.data.length > 0 ? <Cards runners={runners.data} /> : null}
			</div>
		</div>
	);
}

/** The button and its form, which `?new=1` opens as well. */
function AddRunner() {
	const isOpen = useSearchParams().get("new") === "1";
	const button = useRef<HTMLAnchorElement>(null);
	return (
		<>
			<LinkButton
				ref={button}
				href={ADD_RUNNER}
				variant="primary"
				aria-haspopup="dialog"
				aria-expanded={isOpen}
				onPress={() => pushOverlay(ADD_RUNNER)}
			>
				<Plus aria-hidden className="size-4" />
				Add runner
			</LinkButton>
			<AddRunnerDialog
				open={isOpen}
				onOpenChange={(open) => (open ? undefined : closeOverlay("/runners"))}
				onCloseAutoFocus={(event) => {
					event.preventDefault();
					button.current?.focus();
				}}
			/>
		</>
	);
}

function Cards({ runners }: { runners: Runner[] }) {
	const highlighted = useHighlightedRunner();
	return (
		<ul aria-label="Runners" className={GRID}>
			{runners.map((runner) => (
				<RunnerCard key={runner.id} runner={runner} highlighted={runner.id === highlighted} />
			))}
		</ul>
	);
}

/** The runner in the address, `#runner-7`. It is scrolled into view, because it may not be rendered when the browser does that. */
function useHighlightedRunner(): number | null {
	const [highlighted, setHighlighted] = useState<number | null>(null);
	useEffect(() => {
		const update = () => {
			const id = /^#runner-(\d+)$/.exec(location.hash)?.[1];
			setHighlighted(id === undefined ? null : Number(id));
			if (id !== undefined) document.getElementById(`runner-${id}`)?.scrollIntoView({ block: "nearest" });
		};
		update();
		window.addEventListener("hashchange", update);
		return () => window.removeEventListener("hashchange", update);
	}, []);
	return highlighted;
}
