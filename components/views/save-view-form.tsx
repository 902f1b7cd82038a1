"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { ViewPage } from "@tapedeck/contract/view.ts";
import { useCan } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { toast } from "#components/ui/toast.ts";
import { quoted } from "#lib/client/format.ts";
import { createView } from "./views.ts";

interface Props {
	page: ViewPage;
	query: string;
	onDone(): void;
}

/** The name of a view, and whose it is. */
export function SaveViewForm({ page, query, onDone }: Props) {
	const client = useQueryClient();
	const mayShare = useCan("recordings:write");
	const form = useServerForm({ name: "", shared: false }, async ({ name, shared }) => {
		await createView(client, { page, query, name, shared });
		toast.success(`Saved the view ${quoted(name)}.`);
		onDone();
	});
	return (
		<form {...form.props} className="flex flex-col gap-4 p-5">
			<FormError message={form.error} />
			<InputField form={form} name="name" label="Name" maxLength={80} autoComplete="off" />
			{mayShare ? (
				<label className="flex min-h-6 items-center gap-2 text-sm">
					<input type="checkbox" className="size-4 accent-(--accent)" {...form.register("shared")} />
					For everyone in the organization
				</label>
			) : null}
			<div className="flex justify-end gap-2">
				<Button onClick={onDone}>Cancel</Button>
				<SubmitButton form={form} variant="primary">
					Save view
				</SubmitButton>
			</div>
		</form>
	);
}
