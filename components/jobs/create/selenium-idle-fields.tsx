import { Field } from "#components/ui/field.tsx";
import { jobFieldTexts as texts } from "#lib/texts/create-job.ts";
import type { ConfigFieldsProps } from "../job-form.ts";

export function SeleniumIdleFields({ form, passwordHint }: ConfigFieldsProps) {
	const errors = form.formState.errors.config?.selenium_idle;
	return (
		<>
			<Field label={texts.gridUrl} hint={texts.gridUrlHint} error={errors?.gridUrl?.message}>
				{(control) => (
					<input
						{...control}
						{...form.register("config.selenium_idle.gridUrl")}
						inputMode="url"
						autoComplete="off"
						spellCheck={false}
						placeholder={texts.gridUrlPlaceholder}
					/>
				)}
			</Field>
			<div className="grid gap-4 sm:grid-cols-2">
				<Field label={texts.gridUsername} hint={texts.gridUsernameHint} error={errors?.gridUsername?.message}>
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
					label={texts.gridPassword}
					hint={passwordHint ?? texts.gridPasswordHint}
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
				label={texts.firstSession}
				hint={texts.firstSessionHint}
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
