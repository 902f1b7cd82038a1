"use client";

import { useEffect, useSyncExternalStore } from "react";
import { Button } from "#components/ui/button.tsx";
import { uploads } from "#lib/client/upload.ts";
import { isUnfinished } from "#lib/client/uploads.ts";
import { uploadTexts as texts } from "#lib/texts/uploads.ts";
import { UploadRow } from "./upload-row.tsx";

/** What is being brought in, below whatever page is shown. */
export function UploadTray() {
	const list = useSyncExternalStore(uploads.subscribe, uploads.list, uploads.list);
	const unfinished = list.filter(isUnfinished).length;
	useStayWhile(unfinished > 0);
	useHurryWhenOnline();
	if (list.length === 0) return null;
	return (
		<section
			aria-label={texts.tray}
			className="motion-fade flex max-h-[40dvh] shrink-0 flex-col border-t border-line bg-surface print:hidden"
		>
			<header className="flex min-h-10 items-center justify-between gap-3 px-4 md:px-6">
				<h2 className="text-sm font-medium">
					<span role="status">{unfinished > 0 ? texts.underWay(unfinished) : texts.allDone(list.length)}</span>
				</h2>
				{unfinished < list.length ? (
					<Button look="quiet" size="small" className="pointer-coarse:h-11" onClick={() => uploads.clear()}>
						{texts.clear}
					</Button>
				) : null}
			</header>
			<ul className="overflow-y-auto px-4 pb-2 md:px-6">
				{list.map((upload) => (
					<UploadRow key={upload.id} upload={upload} />
				))}
			</ul>
		</section>
	);
}

/** The browser asks before the page is left for as long as something would be broken off. */
function useStayWhile(unfinished: boolean): void {
	useEffect(() => {
		if (!unfinished) return;
		const ask = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", ask);
		return () => removeEventListener("beforeunload", ask);
	}, [unfinished]);
}

function useHurryWhenOnline(): void {
	useEffect(() => {
		const hurry = () => uploads.hurry();
		addEventListener("online", hurry);
		return () => removeEventListener("online", hurry);
	}, []);
}
