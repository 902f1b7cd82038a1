import type { TestResult } from "@tapedeck/contract/test-result.ts";
import { deletedByText } from "#components/recordings/trash/deletion-text.ts";
import { formatExact } from "#lib/client/format.ts";

/** Why there is no video of a result; nothing where there is one. */
export function VideoNote({ result }: { result: TestResult }) {
	const { recordingId, deletedRecording: deleted } = result;
	if (recordingId !== null) return null;
	return (
		<p className="text-sm text-muted" suppressHydrationWarning>
			{deleted === null
				? "Nothing was recorded."
				: `The video was ${deletedByText(deleted)} on ${formatExact(deleted.deletedAt)}.`}
		</p>
	);
}
