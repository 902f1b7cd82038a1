import { SCOPES, type Scope } from "@tapedeck/contract/permissions.ts";
import { useId } from "react";
import { useController } from "react-hook-form";
import { CheckboxGroup } from "#components/ui/checkbox-group.tsx";
import { inputClass } from "#components/ui/field.tsx";
import type { ServerForm } from "#components/ui/form.tsx";

const SCOPE_LABELS: Record<Scope, string> = {
	"jobs:read": "View jobs and their events",
	"jobs:write": "Create and cancel jobs",
	"recordings:read": "View and download recordings",
	"recordings:write": "Upload, pin and delete recordings",
	"runners:read": "View runners",
	"runners:write": "Manage runners",
	"metrics:read": "Read metrics",
	"settings:write": "Change retention and recording settings",
};

interface Use {
	name: string;
	scopes: readonly Scope[];
}

/** Uses of keys, with the least scopes that each needs. */
const USES: readonly [Use, ...Use[]] = [
	{ name: "Record and report tests", scopes: ["jobs:read", "jobs:write", "runners:read"] },
	{ name: "Read results and recordings", scopes: ["jobs:read", "recordings:read", "runners:read"] },
	{ name: "Upload recordings", scopes: ["recordings:read", "recordings:write"] },
	{ name: "Collect metrics", scopes: ["metrics:read"] },
	{ name: "Everything", scopes: SCOPES },
];
/** Scopes of a key for the first use. */
export const DEFAULT_SCOPES = USES[0].scopes;

/** Sets the scopes by what the key is for. Shows "Something else" when they are those of no use. */
export function UseField({ form: given }: { form: ServerForm<{ scopes: Scope[] }> }) {
	const id = useId();
	const { field } = useController({ control: given.control, name: "scopes" });
	const use = USES.find(
		({ scopes }) => scopes.length === field.value.length && scopes.every((scope) => field.value.includes(scope)),
	);
	return (
		<div>
			<label htmlFor={id} className="mb-1 block text-sm font-medium">
				What for
			</label>
			<select
				id={id}
				className={inputClass(false)}
				value={use?.name ?? ""}
				onChange={({ target }) =>
					field.onChange([...(USES.find(({ name }) => name === target.value)?.scopes ?? field.value)])
				}
			>
				{USES.map(({ name }) => (
					<option key={name}>{name}</option>
				))}
				{use === undefined ? <option value="">Something else</option> : null}
			</select>
		</div>
	);
}

/** One checkbox for each scope of a key. */
export const ScopeFields = <V extends { scopes: Scope[] }>({ form }: { form: ServerForm<V> }) => (
	<CheckboxGroup
		form={form}
		name="scopes"
		legend="Scopes"
		labels={SCOPE_LABELS}
		noneChosen="Choose at least one scope."
	/>
);
