import { Field } from "#components/ui/field.tsx";
import type { JobForm } from "./job-form.ts";

interface Props {
	form: JobForm;
	/** Replaces the hint of the password. */
	passwordHint?: string;
}

export function SeleniumIdleFields({ form, passwordHint }: Props) {
	const errors = form.formState.errors.config?.selenium_idle;
	return (
		<>
			<Field
				label="Grid URL"
				hint="The address the runner uses. Supports Selenium Grid 3, Grid 4 and Selenoid."
				error={errors?.gridUrl?.message}
			>
				{(control) => (
					<input
						{...control}
						{...form.register("config.selenium_idle.gridUrl")}
						inputMode="url"
						autoComplete="off"
						spellCheck={false}
						placeholder="http://selenium:4444"
					/>
				)}
			</Field>
			<div className="grid gap-4 sm:grid-cols-2">
				<Field label="Grid username" hint="If the grid requires one." error={errors?.gridUsername?.message}>
					{(control) => (
						<input
							{...control}
							{...form.register("config.selenium_idle.gridUsername")}
							autoComplete="off"
							spellCheck={false}
						/>
					)}
				</Field>
				<Field
					label="Grid password"
					hint={passwordHint ?? "Sent only to the runner and never shown again."}
					error={errors?.gridPassword?.message}
				>
					{(control) => (
						<input
							{...control}
							{...form.register("config.selenium_idle.gridPassword")}
							type="password"
							autoComplete="new-password"
						/>
					)}
				</Field>
			</div>
			<Field
				label="Wait for first session (seconds)"
				hint="How long to wait for a first session before the 5-second idle timer applies. Leave blank to apply it immediately."
				error={errors?.firstSessionTimeoutSeconds?.message}
			>
				{(control) => (
					<input
						{...control}
						{...form.register("config.selenium_idle.firstSessionTimeoutSeconds")}
						type="number"
						inputMode="numeric"
						min={0}
						step={1}
					/>
				)}
			</Field>
		</>
	);
}
