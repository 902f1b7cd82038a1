"use client";

import { clsx } from "clsx";
import { Search } from "lucide-react";
import { useSyncExternalStore } from "react";
import { shellTexts } from "#lib/texts/shell.ts";
import { commandKey } from "./command-key.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { preparePalette } from "./overlays.tsx";

const nothing = () => () => {};

/** Opens the command palette: at the side with its key, on a phone as an icon. */
export function SearchButton({ compact = false }: { compact?: boolean }) {
	const key = useSyncExternalStore(nothing, commandKey, () => "Ctrl");
	return (
		<button
			type="button"
			aria-label={compact ? shellTexts.search : undefined}
			aria-keyshortcuts={compact ? undefined : "Control+K Meta+K"}
			aria-haspopup="dialog"
			onPointerEnter={preparePalette}
			onFocus={preparePalette}
			onClick={() => showOverlay("palette")}
			className={clsx(
				"flex items-center rounded-md text-muted hover:text-ink",
				compact
					? "size-11 justify-center hover:bg-hover"
					: "h-8 w-full gap-2 border border-line bg-canvas ps-2 pe-1.5 text-sm hover:bg-hover",
			)}
		>
			<Search aria-hidden className="size-4 shrink-0" />
			{compact ? null : (
				<>
					<span className="flex-1 text-start">{shellTexts.search}</span>
					<kbd aria-hidden className="rounded border border-line bg-surface px-1 font-sans text-[11px] leading-4">
						{shellTexts.searchKey(key)}
					</kbd>
				</>
			)}
		</button>
	);
}
