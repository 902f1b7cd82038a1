"use client";

import { Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { uploadTexts as texts } from "#lib/texts/uploads.ts";
import { useUploadFiles } from "./use-upload-files.ts";

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true;

/** Takes files that are dropped anywhere on the page, and shows where while they are dragged over it. */
export function DropArea() {
	const [over, setOver] = useState(false);
	const upload = useUploadFiles();
	/** Elements that the pointer is in: each that it enters is told before the one that it leaves. */
	const depth = useRef(0);

	useEffect(() => {
		const set = (next: number) => {
			depth.current = Math.max(0, next);
			setOver(depth.current > 0);
		};
		const on = (event: DragEvent) => {
			if (!hasFiles(event)) return;
			// Else the browser would leave the page to show the file.
			event.preventDefault();
			if (event.type === "dragenter") set(depth.current + 1);
			if (event.type === "dragleave") set(depth.current - 1);
			if (event.type !== "drop") return;
			set(0);
			upload([...(event.dataTransfer?.files ?? [])]);
		};
		const types = ["dragenter", "dragover", "dragleave", "drop"] as const;
		for (const type of types) document.addEventListener(type, on);
		return () => {
			for (const type of types) document.removeEventListener(type, on);
		};
	}, [upload]);

	if (!over) return null;
	return (
		<div className="motion-fade pointer-events-none fixed inset-0 z-50 bg-canvas/80 p-3 md:p-5">
			<div className="flex size-full flex-col items-center justify-center gap-1 rounded-xl border-2 border-dashed border-accent bg-accent-soft/60 text-center">
				<span className="mb-3 grid size-12 place-items-center rounded-full bg-accent text-on-accent">
					<Upload aria-hidden className="size-6" />
				</span>
				<p className="text-lg font-semibold">{texts.dropHere}</p>
				<p className="text-sm text-muted">{texts.dropHint}</p>
			</div>
		</div>
	);
}
