/** The labels of what a command creates: those of continuous integration, and over them those of its --label flags. */

import { ciLabels } from "@tapedeck/client-source/ci-labels.ts";
import { labelsSchema } from "@tapedeck/contract/labels.ts";
import { type Call, usageError } from "./command.ts";
import { labelOf } from "./label-words.ts";

export function labelsOf({ values, env }: Call): Record<string, string> {
	const given = Array.isArray(values.label) ? values.label : [];
	const own = given.map((text) => {
		const label = labelOf(text);
		if (label !== null) return label;
		throw usageError(
			`--label ${text}: Use key=value with a key of lower-case letters and digits, such as suite=checkout.`,
		);
	});
	const read = labelsSchema.safeParse({ ...ciLabels(env), ...Object.fromEntries(own) });
	if (read.success) return read.data;
	throw usageError(`--label: ${read.error.issues[0]?.message}`);
}
