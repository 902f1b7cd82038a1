"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleOff, HardDrive, type LucideIcon, Server } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "#components/navigation/link.tsx";
import { NotLoaded } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { counted, isolated } from "#lib/client/format.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { storageQuery } from "#lib/client/storage.ts";
import { concernsOf, offlineFirst, storageText } from "./concerns.ts";
import { BOX, Calm, HomeSection, ROW, ROW_LINK } from "./home-section.tsx";

const SHOWN = 5;

/** Storage that fills up, and runners that are offline or out of date; without any, how much of both there is. */
export function Attention() {
	const storage = useQuery(storageQuery());
	const runners = useQuery(runnersQuery());
	const broken = [storage, runners].find(({ isError }) => isError);
	const all = runners.data ?? [];
	const { isStorageLow, offline, outdated } = concernsOf(storage.data, all);
	const isCalm = !isStorageLow && offline.length === 0 && outdated.length === 0;
	const online = all.filter(({ state }) => state === "online").length;
	return (
		<HomeSection title="Storage and runners" more={{ href: "/runners", name: "Runners" }}>
			<NotLoaded what="storage and runners" of={[storage, runners]} />
			{isCalm && broken === undefined && storage.data !== undefined ? (
				<Calm>
					<CircleCheck aria-hidden className="text-ok" />
					<p>{`${online === 0 ? "No runner is" : counted(online, "runner is", "runners are")} online. ${storageText(storage.data)}`}</p>
				</Calm>
			) : null}
			{isCalm ? null : (
				<ul aria-label="Needs attention" className={BOX}>
					{isStorageLow && storage.data !== undefined ? (
						<Concern Icon={HardDrive} href="/settings" name="Storage is almost full">
							{storageText(storage.data)}
						</Concern>
					) : null}
					{offlineFirst(offline)
						.slice(0, SHOWN)
						.map(({ id, name, lastSeenAt, waitingJobIds }) => (
							<Concern key={id} Icon={CircleOff} href={`/runners#runner-${id}`} name={`${isolated(name)} is offline`}>
								{lastSeenAt === null ? (
									"Never connected"
								) : (
									<>
										{"Last seen "}
										<TimeAgo at={lastSeenAt} />
									</>
								)}
								{waitingJobIds.length === 0
									? ""
									: `; ${counted(waitingJobIds.length, "job is", "jobs are")} waiting for it`}
							</Concern>
						))}
					{offline.length > SHOWN ? (
						<Concern
							Icon={CircleOff}
							href="/runners"
							name={`${counted(offline.length - SHOWN, "more runner is", "more runners are")} offline`}
						/>
					) : null}
					{outdated.length === 0 ? null : (
						<Concern
							Icon={Server}
							href="/runners"
							name={`${counted(outdated.length, "runner is", "runners are")} older than the dashboard`}
						>
							Run <code>tapedeck upgrade</code> on their machines.
						</Concern>
					)}
				</ul>
			)}
		</HomeSection>
	);
}

interface ConcernProps {
	Icon: LucideIcon;
	href: string;
	name: string;
	children?: ReactNode;
}

const Concern = ({ Icon, href, name, children }: ConcernProps) => (
	<li className={ROW}>
		<Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
		<div className="min-w-0">
			<Link href={href} className={`${ROW_LINK} block text-sm font-medium break-words`}>
				{name}
			</Link>
			{children === undefined ? null : <p className="text-xs break-words text-muted tabular-nums">{children}</p>}
		</div>
	</li>
);
