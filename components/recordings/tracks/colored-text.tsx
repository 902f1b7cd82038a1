import { clsx } from "clsx";
import { type AnsiColor, type AnsiPiece, ansiPieces } from "./ansi.ts";

/** Tones that are legible on every background of a line, light and dark. */
const TONES: Record<AnsiColor, string> = {
	black: "",
	white: "",
	red: "text-danger",
	green: "text-ok",
	yellow: "text-warn",
	blue: "text-accent",
	cyan: "text-accent",
	magenta: "text-live",
};

const classOf = ({ color, bold, dim, italic, underline }: AnsiPiece): string =>
	clsx(
		color === null ? dim && "text-muted" : TONES[color],
		bold && "font-semibold",
		italic && "italic",
		underline && "underline",
	);

/** Text with the colors that a terminal would show. All other sequences are shown literally. */
export function ColoredText({ text, max = Number.POSITIVE_INFINITY }: { text: string; max?: number }) {
	let left = max;
	return ansiPieces(text).map((piece, index) => {
		const shown = piece.text.slice(0, left);
		left -= shown.length;
		if (shown === "") return null;
		const className = classOf(piece);
		return className === "" ? (
			shown
		) : (
			// biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change
			<span key={index} className={className}>
				{shown}
			</span>
		);
	});
}
