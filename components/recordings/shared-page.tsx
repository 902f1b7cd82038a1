import { Link2Off } from "lucide-react";
import { Wordmark } from "#components/shell/wordmark.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { formatExact } from "#lib/client/format.ts";
import type { SharedRecording } from "#lib/contract/link.ts";
import { sharingTexts as texts } from "#lib/texts/sharing.tsx";
import { SharedPlayer } from "./shared-player.tsx";

/** One recording, for those who have its link; null when the link leads nowhere. Nothing else is told or asked. */
export function SharedPage({ recording, startSeconds }: { recording: SharedRecording | null; startSeconds: number }) {
	if (recording === null) {
		return (
			<main className="grid min-h-dvh place-items-center">
				<EmptyState icon={Link2Off} title={texts.gone} level="h1">
					{texts.goneWhy}
				</EmptyState>
			</main>
		);
	}
	const { name, expiresAt } = recording;
	return (
		<main className="mx-auto flex min-h-dvh w-full max-w-[1600px] flex-col gap-4 p-4 md:p-6">
			<h1 className="text-xl font-semibold tracking-tight break-words">{name}</h1>
			<SharedPlayer recording={recording} startSeconds={startSeconds} />
			<footer className="flex flex-wrap items-center justify-between gap-3 text-xs text-muted">
				<span className="flex items-center gap-2">
					<Wordmark /> {texts.sharedBy}
				</span>
				{expiresAt === null ? null : (
					<span>{texts.until(<time dateTime={expiresAt}>{formatExact(expiresAt)}</time>)}</span>
				)}
			</footer>
		</main>
	);
}
