"use client";

import { useQuery } from "@tanstack/react-query";
import { useCan } from "#components/account/use-session.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { apiKeysQuery, runnerTokensQuery } from "#lib/client/credentials.ts";
import { retentionQuery } from "#lib/client/retention.ts";
import { storageQuery } from "#lib/client/storage.ts";
import { ApiKeysSection } from "./api-keys-section.tsx";
import { recordingSettingsQuery } from "./recording-settings.ts";
import { RecordingSettingsSection } from "./recording-settings-section.tsx";
import { RetentionSection } from "./retention-section.tsx";
import { RunnerTokensSection } from "./runner-tokens-section.tsx";
import { SourceLinksSection } from "./source-links-section.tsx";

/** The organization's settings, except for its members. */
export function SettingsPage() {
	const mayAdminister = useCan("organization:manage");
	const queries = [
		useQuery({ ...apiKeysQuery(), enabled: mayAdminister }),
		useQuery({ ...runnerTokensQuery(), enabled: mayAdminister }),
		useQuery(recordingSettingsQuery()),
		useQuery(retentionQuery()),
		useQuery(storageQuery()),
	];
	// Until then nobody knows how high each section becomes, and what is below would move. A failed one holds back nothing.
	const isLoading = queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
	if (isLoading) return <Loading count={mayAdminister ? 5 : 2} />;
	return (
		<>
			{mayAdminister ? (
				<>
					<ApiKeysSection />
					<RunnerTokensSection />
				</>
			) : null}
			<RecordingSettingsSection />
			<SourceLinksSection />
			<RetentionSection />
		</>
	);
}

const Loading = ({ count }: { count: number }) =>
	Array.from({ length: count }, (_, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
		<div key={index} className="flex flex-col gap-3">
			<Skeleton className="h-7 w-40" />
			<Skeleton className="h-32 w-full rounded-lg" />
		</div>
	));
