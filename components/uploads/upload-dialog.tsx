"use client";

import { type Labels, labelsSchema } from "@tapedeck/contract/labels.ts";
import { KEEPS, type Keep, OUTCOMES, type Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { type FormEvent, useRef, useState } from "react";
import { KeepSelect, LABELS_HINT, LabelsInput } from "#components/recordings/keeping-inputs.tsx";
import { LABEL_MESSAGES, labelsIn } from "#components/recordings/label-lines.ts";
import { OUTCOME_OPTIONS } from "#components/recordings/outcome-badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { counted } from "#lib/client/format.ts";
import type { CheckedFile } from "./upload.ts";
import { curlOfUpload } from "./upload-curl.ts";
import type { UploadKeeping } from "./uploads.ts";

interface Props {
	/** None while it is closed. */
	files: readonly CheckedFile[];
	onCancel(): void;
	onUpload(keeping: UploadKeeping): void;
}

/** Labels and keep policy of chosen files. The values stay for the next files of a build. */
export function UploadDialog({ files, onCancel, onUpload }: Props) {
	const [text, setText] = useState("");
	const [outcome, setOutcome] = useState<Outcome | null>(null);
	const [keep, setKeep] = useState<Keep | null>(null);
	const [isFaulty, setIsFaulty] = useState(false);
	const labels = readLabels(text);
	const keeping = { labels: labels.value ?? {}, outcome, keep };
	// While it closes, it stays as it was.
	const shown = useRef(files);
	if (files.length > 0) shown.current = files;
	const [first] = shown.current;
	const upload = (event: FormEvent) => {
		event.preventDefault();
		setIsFaulty(labels.value === null);
		if (labels.value !== null) onUpload(keeping);
	};
	const submit = useRef<HTMLButtonElement>(null);
	return (
		<DialogRoot open={files.length > 0} onOpenChange={(wanted) => (wanted ? undefined : onCancel())}>
			<DialogContent
				aria-describedby={undefined}
				onOpenAutoFocus={(event) => {
					// All of it is optional: Enter uploads.
					event.preventDefault();
					submit.current?.focus();
				}}
			>
				<DialogHead title={`Upload ${counted(shown.current.length, "file", "files")}`} />
				<form onSubmit={upload} noValidate className="flex min-h-0 flex-1 flex-col">
					<div className="flex flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
						<p className="truncate text-sm text-muted">{shown.current.map(({ file }) => file.name).join(", ")}</p>
						<Field
							label="Labels"
							hint={LABELS_HINT}
							error={isFaulty && labels.value === null ? labels.fault : undefined}
						>
							{(control) => (
								<LabelsInput
									{...control}
									value={text}
									onChange={({ target }) => setText(target.value)}
									placeholder={"test=Checkout\nbuild=123"}
								/>
							)}
						</Field>
						<div className="grid gap-4 sm:grid-cols-2">
							<Field label="Outcome" hint="With an outcome, a video is a test result.">
								{(control) => (
									<select
										{...control}
										value={outcome ?? ""}
										onChange={({ target }) => setOutcome(OUTCOMES.find((one) => one === target.value) ?? null)}
									>
										<option value="">None</option>
										{OUTCOME_OPTIONS.map(([value, name]) => (
											<option key={value} value={value}>
												{name}
											</option>
										))}
									</select>
								)}
							</Field>
							<Field label="Keep">
								{(control) => (
									<KeepSelect
										{...control}
										value={keep ?? ""}
										onChange={({ target }) => setKeep(KEEPS.find((one) => one === target.value) ?? null)}
									/>
								)}
							</Field>
						</div>
						{first === undefined ? null : (
							<section aria-label="Equivalent curl command">
								<h3 className="mb-1 text-sm font-medium">Equivalent curl command</h3>
								<CodeBlock text={curlOfUpload(location.origin, first, keeping)} label="Copy the command" />
							</section>
						)}
					</div>
					<div className="flex justify-end gap-2 border-t border-line px-5 py-3">
						<Button onClick={onCancel}>Cancel</Button>
						<Button ref={submit} type="submit" variant="primary">
							Upload
						</Button>
					</div>
				</form>
			</DialogContent>
		</DialogRoot>
	);
}

function readLabels(text: string): { value: Labels; fault: undefined } | { value: null; fault: string } {
	const read = labelsSchema.safeParse(labelsIn(text) ?? {});
	if (read.success) return { value: read.data, fault: undefined };
	const code = read.error.issues[0]?.code as string;
	return { value: null, fault: LABEL_MESSAGES[code as keyof typeof LABEL_MESSAGES] ?? LABEL_MESSAGES.invalid };
}
