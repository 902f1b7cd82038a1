import { Film, SearchX } from "lucide-react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/navigation/link.tsx";
import { recordingsTexts as texts } from "#lib/texts/recordings.ts";

interface Props {
	narrowed: boolean;
	mayUpload: boolean;
	onClearFilters(): void;
}

/** An empty list says why it is empty, and what to do next. */
export const RecordingsEmpty = ({ narrowed, mayUpload, onClearFilters }: Props) =>
	narrowed ? (
		<EmptyState
			icon={SearchX}
			title={texts.noneFits}
			actions={<Button onClick={onClearFilters}>{texts.clearFilters}</Button>}
		>
			{texts.noneFitsHint}
		</EmptyState>
	) : (
		<EmptyState
			icon={Film}
			title={texts.none}
			actions={
				<Link href="/jobs" className={buttonClass("primary")}>
					{texts.goToJobs}
				</Link>
			}
		>
			{texts.noneHint} {mayUpload ? texts.noneHintUpload : null}
		</EmptyState>
	);
