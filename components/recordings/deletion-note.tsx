"use client";

import { useCan } from "#components/session/use-session.ts";
import { toast } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { useChangeRecording } from "#lib/client/change-recording.ts";
import { DeletedIn } from "./deleted-in.tsx";

interface Props {
	recordingId: number;
	name: string;
	at: string;
}

/** Says when a recording goes because its test passed, and offers to keep it. */
export function DeletionNote({ recordingId, name, at }: Props) {
	const mayWrite = useCan("recordings:write");
	const change = useChangeRecording(recordingId);
	const keep = () =>
		change.mutate(
			{ keep: "always" },
			{
				onSuccess: () => toast.success("The recording is kept."),
				onError: (error) => toast.error(`Couldn't keep the recording. ${errorMessage(error)}`),
			},
		);
	return (
		<>
			<DeletedIn at={at} />
			{mayWrite ? (
				<>
					{" · "}
					<button
						type="button"
						aria-label={`Keep ${name}`}
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
