import { useState } from "react";
import { InputField, SelectField, type ServerForm } from "#components/ui/form.tsx";
import { CapabilityFields } from "./capability-fields.tsx";
import { ENROLLMENT_PERIODS, type TokenValues } from "./token-limits.ts";

/** The fields that limit a new runner token, folded away at first. */
export function TokenLimitsFields({ form }: { form: ServerForm<TokenValues> }) {
	const fields = ["maxRunners", "enrollUntil", "namePattern", "labels", "displays", "grids", "capabilities"] as const;
	const hasError = fields.some((name) => form.errorOf(name) !== undefined);
	const [isOpen, setOpen] = useState(false);
	// An error inside must be seen.
	const isShown = isOpen || hasError;
	return (
		<details className="text-sm" open={isShown} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
			<summary className="cursor-pointer py-0.5 font-medium">Limits</summary>
			{isShown ? <Fields form={form} /> : null}
		</details>
	);
}

const Fields = ({ form }: { form: ServerForm<TokenValues> }) => (
	<>
		<p className="mt-1 text-xs text-muted">Restrict what a leaked token can do. Blank fields aren't limited.</p>
		<div className="mt-3 grid gap-4 sm:grid-cols-2">
			<InputField
				form={form}
				name="maxRunners"
				label="Number of runners"
				hint="Remove a runner to free a slot."
				inputMode="numeric"
				autoComplete="off"
				placeholder="1"
				rules={{ pattern: { value: /^\d*$/, message: "Enter a whole number, or leave blank." } }}
			/>
			<SelectField
				form={form}
				name="enrollUntil"
				label="New runners can sign in"
				hint="Runners that signed in earlier keep working."
			>
				{Object.entries(ENROLLMENT_PERIODS).map(([hours, period]) => (
					<option key={hours} value={hours}>
						{period}
					</option>
				))}
			</SelectField>
			<InputField
				form={form}
				name="namePattern"
				label="Runner names"
				hint="Use * as a wildcard."
				maxLength={100}
				autoComplete="off"
				placeholder="ci-*"
			/>
			<InputField
				form={form}
				name="labels"
				label="Labels"
				hint="Applied to all its runners. Runners can't override them."
				autoComplete="off"
				placeholder="pool=ci, os=linux"
			/>
			<InputField
				form={form}
				name="displays"
				label="Displays"
				hint="Only these displays can be recorded."
				autoComplete="off"
				placeholder=":99, :100"
			/>
			<InputField
				form={form}
				name="grids"
				label="Grids"
				hint="Only jobs for these grids are accepted."
				autoComplete="off"
				placeholder="http://selenium:4444"
			/>
		</div>
		<div className="mt-4">
			<CapabilityFields form={form} />
		</div>
	</>
);
