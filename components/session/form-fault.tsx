import { Notice } from "#components/ui/notice.tsx";

/** What was refused and belongs to no single field. */
export function FormFault({ text }: { text: string | undefined }) {
	if (text === undefined) return null;
	return (
		<Notice tone="danger" alert>
			{text}
		</Notice>
	);
}
