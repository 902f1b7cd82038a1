"use client";

import { useCan } from "#components/account/use-session.ts";
import { toastOutcome } from "#components/ui/toast.ts";
import { useNowAs } from "#components/ui/use-now.ts";
import { formatSpan } from "#lib/client/format.ts";
import { useChangeRecording } from "./change-recording.ts";

interface Props {
	recordingId: number;
	name: string;
	at: string;
	/** Whether Tab reaches its button. */
	tabStop?: boolean;
}

/** Says when a recording goes because its test passed, and offers to keep it. */
export function DeletionNote({ recordingId, name, at, tabStop = true }: Props) {
	const mayWrite = useCan("recordings:write");
	const change = useChangeRecording(recordingId);
	const keep = () =>
		void toastOutcome(change.mutateAsync({ keep: "always" }), {
			done: "Recording kept.",
			failed: "Couldn't keep the recording.",
		});
	return (
		<>
			<DeletedIn at={at} />
			{mayWrite ? (
				<>
					{" · "}
					<button
						type="button"
						aria-label={`Keep ${name}`}
						tabIndex={tabStop ? undefined : -1}
						onClick={keep}
						className="relative z-10 rounded-sm font-medium text-accent underline underline-offset-2 pointer-coarse:p-1"
					>
						Keep
					</button>
				</>
			) : null}
		</>
	);
}

/** `Deletes in 40 min`: the largest unit says enough. */
function DeletedIn({ at }: { at: string }) {
	const text = useNowAs((now) => {
		const seconds = (Date.parse(at) - now) / 1000;
		return seconds <= 0 ? "Deletes soon" : `Deletes in ${formatSpan(seconds).split(" ", 2).join(" ")}`;
	});
	return (
		<span title="The test passed, and only recordings of tests that don't pass are kept." suppressHydrationWarning>
			{text}
		</span>
	);
}
