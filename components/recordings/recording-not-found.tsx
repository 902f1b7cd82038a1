import { VideoOff } from "lucide-react";
import { Link } from "#components/navigation/link.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

interface Props {
	/** In a sentence, if the link itself is known to be good. */
	why?: string;
}

/** Shown in place of a recording that does not exist. */
export const RecordingNotFound = ({ why = "It was deleted or expired, or the link is incomplete." }: Props) => (
	<EmptyState
		icon={VideoOff}
		title="Recording not found"
		level="h1"
		actions={
			<Link href="/recordings" className={buttonClass("primary")}>
				All recordings
			</Link>
		}
	>
		{why}
	</EmptyState>
);
