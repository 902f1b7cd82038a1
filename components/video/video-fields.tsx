import { VIDEO_PRESETS } from "@tapedeck/contract/video-kinds.ts";
import { type ComponentProps, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "#components/ui/field.tsx";
import { VIDEO_FIELDS, type VideoField } from "./video-values.ts";

interface Props {
	register(field: VideoField): UseFormRegisterReturn;
	errorOf(field: VideoField): string | undefined;
	/** Text for blank fields that names the level which decides, such as "The runner decides". */
	hint: string;
}

const PRESET_NAMES: Record<(typeof VIDEO_PRESETS)[number], string> = {
	balanced: "Balanced",
	sharp: "Sharp (larger files)",
	small: "Small (more blur)",
};

/** Fields for the part of the display that is shown. */
export const PartFields = ({ register, errorOf }: Omit<Props, "hint">) => (
	<>
		<Field label="Region" error={errorOf("region")}>
			{(control) => (
				<input {...control} {...register("region")} autoComplete="off" placeholder="Whole display, or 800x600+100+50" />
			)}
		</Field>
		<Field label="Window" error={errorOf("window")}>
			{(control) => (
				<input
					{...control}
					{...register("window")}
					autoComplete="off"
					placeholder="Whole display, or part of a title"
				/>
			)}
		</Field>
	</>
);

/** Fields for video options, collapsed at first. */
export function VideoFields({ register, errorOf, hint }: Props) {
	const [isOpen, setOpen] = useState(false);
	// An error inside must be seen.
	const isShown = isOpen || VIDEO_FIELDS.some((field) => errorOf(field) !== undefined);
	const number = (field: VideoField, label: string, input: Partial<ComponentProps<"input">> = {}) => (
		<Field label={label} error={errorOf(field)}>
			{(control) => (
				<input
					{...control}
					{...register(field)}
					type="number"
					inputMode="numeric"
					min={0}
					autoComplete="off"
					placeholder="Default"
					{...input}
				/>
			)}
		</Field>
	);
	return (
		<details className="text-sm" open={isShown} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
			<summary className="w-fit cursor-pointer rounded-sm py-0.5 font-medium">Video quality</summary>
			{isShown ? (
				<>
					<p className="mt-1 text-xs text-muted">{hint}</p>
					<div className="mt-3 grid gap-4 sm:grid-cols-2">
						<Field label="Preset" error={errorOf("preset")}>
							{(control) => (
								<select {...control} {...register("preset")}>
									<option value="">Default</option>
									{VIDEO_PRESETS.map((preset) => (
										<option key={preset} value={preset}>
											{PRESET_NAMES[preset]}
										</option>
									))}
								</select>
							)}
						</Field>
						{number("framesPerSecond", "Frames per second", { min: 1, max: 60, step: 1 })}
						{number("maxWidth", "Maximum width (pixels)", { step: 2 })}
						{number("maxHeight", "Maximum height (pixels)", { step: 2 })}
						{number("crf", "Quality (CRF, 0–51)", { max: 51, step: 1 })}
						{number("maxBitrate", "Maximum bit rate (bits per second)", { step: 1 })}
						<PartFields register={register} errorOf={errorOf} />
						<Field label="Pointer" error={errorOf("cursor")}>
							{(control) => (
								<select {...control} {...register("cursor")}>
									<option value="">Default</option>
									<option value="true">Recorded</option>
									<option value="false">Not recorded</option>
								</select>
							)}
						</Field>
					</div>
				</>
			) : null}
		</details>
	);
}
