/** The words of the page that shows the API's contract. */
import type { ReactNode } from "react";

export const docsTexts = {
	title: "Tapedeck API",
	intro: (address: ReactNode, header: ReactNode, document: ReactNode, settings: ReactNode): ReactNode => (
		<>
			JSON in and out below {address}, with {header}. The same as a machine reads it: {document}. Keys are made in the{" "}
			{settings}.
		</>
	),
	document: "openapi.json",
	header: "Authorization: Bearer <API_KEY>",
	settings: "settings",
	calls: "Calls",
	parameter: (place: string, required: boolean, summary: string) =>
		`in the ${place}${required ? "" : ", optional"}: ${summary}`,
	body: "Body",
	answers: (status: string) => `Answers ${status}`,
	answersOnly: (status: string) => `Answers ${status}.`,
	range: (bounds: string[]) => bounds.join(" to "),
	anything: "any",
} as const;
