/** A row as tall as those that are not rendered. One cell: spanning hidden columns would show them again. */
export const SpacerRow = ({ height }: { height: number }) =>
	height > 0 ? (
		<tr aria-hidden>
			<td style={{ height, padding: 0 }} />
		</tr>
	) : null;
