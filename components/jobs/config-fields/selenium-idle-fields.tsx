import { Field } from "#components/ui/field.tsx";
import type { ConfigFieldsProps } from "../job-form.ts";

export function SeleniumIdleFields({ form }: ConfigFieldsProps) {
	const errors = form.formState.errors.config?.selenium_idle;
	return (
		<>
			<Field
				label="Grid URL"
				hint="As the runner reaches it. Grid 4, Grid 3 and Selenoid are understood."
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
				<Field label="Grid username" hint="If the grid asks for one." error={errors?.gridUsername?.message}>
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
					hint="Only the runner gets it; it is never shown again."
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
				hint="How long the grid may be empty at the beginning. Left empty, the 5 seconds count from the start."
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
