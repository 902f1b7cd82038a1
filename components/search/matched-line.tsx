/** The line in which a search has found what stands above it. */
export const MatchedLine = ({ text }: { text: string }) => (
	<span title={text}>
		<span className="sr-only">Found in: </span>“{text}”
	</span>
);
