import { Button } from "./button.tsx";

interface LongList {
	hasNextPage: boolean;
	isFetchingNextPage: boolean;
	fetchNextPage(): Promise<unknown>;
}

/** The button below a list that loads its next page; nothing if there is none. */
export function ShowMore({ list, className }: { list: LongList; className?: string }) {
	if (!list.hasNextPage) return null;
	return (
		<div className={className}>
			<Button
				aria-disabled={list.isFetchingNextPage}
				onClick={() => void (list.isFetchingNextPage || list.fetchNextPage())}
			>
				Show more
			</Button>
		</div>
	);
}
