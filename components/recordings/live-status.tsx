import { Button } from "#components/ui/button.tsx";
import { formatSpan } from "#lib/client/format.ts";
import { playerTexts as texts } from "#lib/texts/player.ts";
import type { Player } from "./use-player.ts";

/** That the picture is live, or how far behind it is and the way back. */
export function LiveStatus({ player }: { player: Player }) {
	const { live, seconds, durationSeconds } = player;
	if (live === null) return null;
	if (live.following) {
		return (
			<span className="flex h-7 items-center gap-1.5 rounded-full bg-soft-live px-2.5 text-xs font-semibold text-live">
				<span aria-hidden className="motion-pulse size-2 rounded-full bg-live" />
				{texts.live}
			</span>
		);
	}
	return (
		<span className="flex items-center gap-2">
			<span className="text-xs whitespace-nowrap text-muted tabular-nums">
				{texts.behind(formatSpan(Math.max(1, durationSeconds - seconds)))}
			</span>
			<Button size="small" aria-keyshortcuts="End" title={texts.withKeys(texts.goLive, "End")} onClick={player.goToEnd}>
				<span aria-hidden className="size-2 rounded-full border-2 border-live" />
				{texts.goLive}
			</Button>
		</span>
	);
}
