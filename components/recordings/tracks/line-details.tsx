import { withoutColours } from "@tapedeck/contract/plain-text.ts";
import type { TrackLine } from "@tapedeck/contract/track.ts";
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import { X } from "lucide-react";
import { buttonClass } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { formatExact } from "#lib/client/format.ts";
import { ColoredText } from "./colored-text.tsx";

/** A line in full, with its data and its exact time. */
export function LineDetails({ line, onClose }: { line: TrackLine; onClose(): void }) {
	const { at, offsetSeconds, level, text, data } = line;
	const more = data === null ? null : JSON.stringify(data, null, 2);
	const whole = [withoutColours(text), more].filter((part) => part !== null && part !== "").join("\n");
	return (
		<section aria-label="Line" className="flex max-h-[45%] shrink-0 flex-col border-t border-line bg-inset">
			<div className="flex shrink-0 items-center gap-2 ps-3 pe-1 text-xs text-muted tabular-nums">
				<span className="min-w-0 flex-1 truncate">
					{offsetSeconds === null ? null : `${formatInstant(offsetSeconds)} · `}
					<time dateTime={at} title={at}>
						{formatExact(at)}
					</time>
					{level === null ? null : ` · ${level}`}
				</span>
				<CopyButton text={whole} label="Copy the line" />
				<button
					type="button"
					aria-label="Close the line"
					title="Close the line"
					onClick={onClose}
					className={buttonClass("ghost", "icon")}
				>
					<X aria-hidden className="size-4" />
				</button>
			</div>
			<pre
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
				tabIndex={0}
				className="min-h-0 overflow-y-auto px-3 pb-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap -outline-offset-2"
			>
				<ColoredText text={text} />
				{more === null ? null : <span className="block text-muted">{more}</span>}
			</pre>
		</section>
	);
}
