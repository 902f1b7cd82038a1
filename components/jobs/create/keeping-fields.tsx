import { KEEPS, type Keep } from "@tapedeck/contract/recording-kinds.ts";
import { useWatch } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import type { JobForm } from "./job-form.ts";

const KEEP_NAMES: Record<Keep, string> = { always: "Always", failed: "Unless the test passed" };

/** What the recording is of, how long it may become and how long it is kept. */
export function KeepingFields({ form }: { form: JobForm }) {
	const { errors } = form.formState;
	const condition = useWatch({ control: form.control, name: "stopCondition" });
	return (
		<>
			<Field
				label="Labels"
				hint="Optional. One key=value per line. Tests are found by test, build and branch."
				error={errors.labels?.message}
			>
				{(control) => (
					<textarea
						{...control}
						{...form.register("labels")}
						rows={2}
						spellCheck={false}
						autoComplete="off"
						placeholder={"build=123\nbranch=main"}
						className={`${control.className} h-auto! min-h-14 py-1.5 font-mono text-xs!`}
					/>
				)}
			</Field>
			<div className="grid gap-4 sm:grid-cols-2">
				<Field label="Keep video" error={errors.keep?.message}>
					{(control) => (
						<select {...control} {...form.register("keep")}>
							<option value="">Default</option>
							{KEEPS.map((keep) => (
								<option key={keep} value={keep}>
									{KEEP_NAMES[keep]}
								</option>
							))}
						</select>
					)}
				</Field>
				{condition === "duration" ? null : (
					<Field
						label="Maximum length (seconds)"
						hint="Leave blank for the default."
						error={errors.maxDurationSeconds?.message}
					>
						{(control) => (
							<input
								{...control}
								{...form.register("maxDurationSeconds")}
								type="number"
								inputMode="numeric"
								min={1}
								step={1}
							/>
						)}
					</Field>
				)}
			</div>
		</>
	);
}
