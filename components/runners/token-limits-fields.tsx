import { useState } from "react";
import { InputField, SelectField, type ServerForm } from "#components/ui/form.tsx";
import { ENROLLMENT_PERIODS, type TokenValues } from "#lib/client/token-limits.ts";

/** The fields that limit a new runner token, folded away at first. */
export function TokenLimitsFields({ form }: { form: ServerForm<TokenValues> }) {
	const fields = ["maxRunners", "enrollUntil", "namePattern", "labels", "displays", "grids"] as const;
	const hasError = fields.some((name) => form.errorOf(name) !== undefined);
	const [isOpen, setOpen] = useState(false);
	// An error inside must be seen.
	const isShown = isOpen || hasError;
	return (
		<details className="text-sm" open={isShown} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
			<summary className="cursor-pointer font-medium">Limits</summary>
			{isShown ? <Fields form={form} /> : null}
		</details>
	);
}

const Fields = ({ form }: { form: ServerForm<TokenValues> }) => (
	<>
		<p className="mt-1 text-xs text-muted">
			So that the token is worth little to someone who finds it. What you leave empty is not limited.
		</p>
		<div className="mt-3 grid gap-4 sm:grid-cols-2">
			<InputField
				form={form}
				name="maxRunners"
				label="Number of runners"
				hint="Remove a runner to make room for another."
				inputMode="numeric"
				autoComplete="off"
				placeholder="1"
				rules={{ pattern: { value: /^\d*$/, message: "Enter a whole number, or leave it empty." } }}
			/>
			<SelectField
				form={form}
				name="enrollUntil"
				label="New runners can sign in"
				hint="Runners that are signed in by then keep working."
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
				hint="* is any text."
				maxLength={100}
				autoComplete="off"
				placeholder="ci-*"
			/>
			<InputField
				form={form}
				name="labels"
				label="Labels"
				hint="Given to its runners, which cannot change them."
				autoComplete="off"
				placeholder="pool=ci, os=linux"
			/>
			<InputField
				form={form}
				name="displays"
				label="Displays"
				hint="The only ones they record."
				autoComplete="off"
				placeholder=":99, :100"
			/>
			<InputField
				form={form}
				name="grids"
				label="Grids"
				hint="The only ones whose jobs they get."
				autoComplete="off"
				placeholder="http://selenium:4444"
			/>
		</div>
	</>
);
