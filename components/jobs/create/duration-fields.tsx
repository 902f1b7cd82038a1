import { clsx } from "clsx";
import { useWatch } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import { formatSpan } from "#lib/client/format.ts";
import type { JobForm } from "./job-form.ts";

const NAME = "config.duration.durationSeconds";
const COMMON_SECONDS = [30, 60, 300, 3600];

export function DurationFields({ form }: { form: JobForm }) {
	const error = form.formState.errors.config?.duration?.durationSeconds;
	const typed = useWatch({ control: form.control, name: NAME });
	const seconds = /^\s*\d{1,7}\s*$/.test(typed) ? Number(typed) : 0;
	const choose = (common: number) =>
		form.setValue(NAME, String(common), { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
	return (
		<Field
			label="Duration (seconds)"
			hint={`${seconds >= 60 ? `${formatSpan(seconds)}, counted` : "Counted"} from the first frame. Maximum 7 days.`}
			error={error?.message}
		>
			{(control) => (
				<div className="flex flex-wrap gap-2">
					<input
						{...control}
						{...form.register(NAME)}
						className={`${control.className} basis-28 grow`}
						type="number"
						inputMode="numeric"
						min={1}
						step={1}
					/>
					<fieldset className="flex flex-wrap gap-1.5">
						<legend className="sr-only">Common durations</legend>
						{COMMON_SECONDS.map((common) => (
							<button
								key={common}
								type="button"
								aria-pressed={seconds === common}
								onClick={() => choose(common)}
								className={clsx(
									"h-8 rounded-md border px-2.5 text-xs whitespace-nowrap tabular-nums transition-colors duration-100",
									seconds === common
										? "border-accent bg-accent-soft text-ink"
										: "border-line bg-surface text-muted hover:text-ink",
								)}
							>
								{formatSpan(common)}
							</button>
						))}
					</fieldset>
				</div>
			)}
		</Field>
	);
}
