"use client";

import { useQuery } from "@tanstack/react-query";
import { leave } from "#components/session/leave.ts";
import { Button } from "#components/ui/button.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { toast } from "#components/ui/toast.ts";
import { sessionsQuery, useEndOtherSessions, useEndSession } from "#lib/client/account.ts";
import { wordsOf } from "#lib/client/api.ts";
import { deviceOf } from "#lib/client/device-name.ts";
import type { AccountSession } from "#lib/contract/account.ts";
import { settingsTexts, accountTexts as texts } from "#lib/texts/settings.ts";
import { Rows } from "./rows.tsx";
import { Section } from "./section.tsx";

const failed = (error: Error) => toast.error(settingsTexts.failed(wordsOf(error)));

/** The browsers that are signed in, and the ways out of each. */
export function SessionsSection() {
	const sessions = useQuery(sessionsQuery());
	const endOthers = useEndOtherSessions();
	const several = (sessions.data?.length ?? 0) > 1;
	return (
		<Section title={texts.sessions} intro={texts.sessionsIntro}>
			<Rows label={texts.sessions} list={sessions} keyOf={({ id }) => id}>
				{(session) => <SessionRow session={session} />}
			</Rows>
			<div className="mt-3 flex flex-wrap gap-2">
				<Button onClick={() => void leave()}>{texts.signOut}</Button>
				{several ? (
					<Button
						look="danger"
						aria-disabled={endOthers.isPending}
						onClick={() =>
							endOthers.mutate(undefined, { onSuccess: () => toast.success(texts.othersRevoked), onError: failed })
						}
					>
						{texts.revokeOthers}
					</Button>
				) : null}
			</div>
		</Section>
	);
}

function SessionRow({ session: { id, current, address, userAgent, lastSeenAt } }: { session: AccountSession }) {
	const end = useEndSession();
	const { browser, system } = deviceOf(userAgent);
	const device = texts.device(browser, system);
	return (
		<>
			<div className="min-w-0 flex-1 basis-48">
				<p className="truncate text-sm font-medium">
					{device} {current ? <span className="font-normal text-muted">({texts.current})</span> : null}
				</p>
				<p className="truncate text-xs text-muted tabular-nums">
					{address === null ? null : `${texts.from(address)} · `}
					{texts.seen} <TimeAgo at={lastSeenAt} />
				</p>
			</div>
			{current ? null : (
				<Button
					size="small"
					look="danger"
					aria-label={texts.revokeOne(device)}
					aria-disabled={end.isPending}
					onClick={() => end.mutate(id, { onSuccess: () => toast.success(texts.revoked), onError: failed })}
				>
					{texts.revoke}
				</Button>
			)}
		</>
	);
}
