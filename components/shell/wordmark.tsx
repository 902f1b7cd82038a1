/** The name, with its mark: two reels. */
export const Wordmark = ({ large = false }: { large?: boolean }) => (
	<span className={large ? "flex items-center gap-2.5 text-xl font-semibold" : "flex items-center gap-2 font-semibold"}>
		<svg
			aria-hidden="true"
			viewBox="0 0 24 16"
			className={large ? "h-6 w-9" : "h-4 w-6"}
			fill="none"
			stroke="currentColor"
		>
			<rect x="1" y="1" width="22" height="14" rx="3" strokeWidth="1.75" className="text-ink" />
			<circle cx="7.5" cy="8" r="2.75" strokeWidth="1.75" className="stroke-accent" />
			<circle cx="16.5" cy="8" r="2.75" strokeWidth="1.75" className="stroke-accent" />
		</svg>
		<span className="tracking-tight">Tapedeck</span>
	</span>
);
