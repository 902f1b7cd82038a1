import type { FieldErrors } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import type { JobForm, JobFormValues } from "./job-form.ts";

interface Props {
	form: JobForm;
	condition: "selenium_idle" | "selenium_session";
	/** Replaces the hint of the password. */
	passwordHint?: string;
}

/** The fields of the stop conditions that watch a Selenium Grid. */
export function GridFields({ form, condition, passwordHint }: Props) {
	const errors: FieldErrors<JobFormValues["config"]["selenium_session"]> | undefined =
		form.formState.errors.config?.[condition];
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
						{...form.register(`config.${condition}.gridUrl`)}
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
							{...form.register(`config.${condition}.gridUsername`)}
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
							{...form.register(`config.${condition}.gridPassword`)}
							type="password"
							autoComplete="new-password"
						/>
					)}
				</Field>
			</div>
			<Field
				label="Grid node"
				hint="Only follow this node (ID, URI or host). Leave blank for the whole grid."
				error={errors?.gridNode?.message}
			>
				{(control) => (
					<input
						{...control}
						{...form.register(`config.${condition}.gridNode`)}
						autoComplete="off"
						spellCheck={false}
						placeholder="http://node-1:5555"
					/>
				)}
			</Field>
			{condition === "selenium_session" ? (
				<Field
					label="Session ID"
					hint="Only record this session. Leave blank for the next one that starts."
					error={errors?.sessionId?.message}
				>
					{(control) => (
						<input
							{...control}
							{...form.register("config.selenium_session.sessionId")}
							autoComplete="off"
							spellCheck={false}
						/>
					)}
				</Field>
			) : null}
			<Field
				label="Wait for first session (seconds)"
				hint={
					condition === "selenium_idle"
						? "How long to wait for a first session before the 5-second idle timer applies. Leave blank to apply it immediately."
						: "How long to wait for the session to start. Leave blank to wait indefinitely."
				}
				error={errors?.firstSessionTimeoutSeconds?.message}
			>
				{(control) => (
					<input
						{...control}
						{...form.register(`config.${condition}.firstSessionTimeoutSeconds`)}
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
