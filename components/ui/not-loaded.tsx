import { uiTexts } from "#lib/texts/ui.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** Stands where a list would be that could not be fetched. @param why whole sentences: what is missing, and why */
export const NotLoaded = ({ why, onRetry }: { why: string; onRetry(): void }) => (
	<Notice tone="danger" alert className="mx-4 mt-4 md:mx-6">
		{why}{" "}
		<Button size="small" className="max-sm:mt-2 max-sm:flex sm:ms-2" onClick={onRetry}>
			{uiTexts.tryAgain}
		</Button>
	</Notice>
);
