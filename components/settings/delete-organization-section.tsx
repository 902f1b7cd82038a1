"use client";

import { useMutation } from "@tanstack/react-query";
import type { OrganizationDeletion } from "@tapedeck/contract/organization.ts";
import { ORGANIZATION_GRACE_DAYS } from "@tapedeck/contract/organization-grace.ts";
import { useState } from "react";
import { useSession } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogDescription, DialogRoot, DialogTitle } from "#components/ui/dialog.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { call } from "#lib/client/api.ts";
import { formatExact } from "#lib/client/format.ts";
import { Section } from "./section.tsx";

/** For owners: deletes the organization after a grace time, or cancels that. */
export function DeleteOrganizationSection() {
	const { organizationName, organizationDeleteAt } = useSession();
	const [asking, setAsking] = useState(false);
	return (
		<Section title="Delete organization">
			<div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-danger/30 bg-surface p-4">
				<p className="min-w-0 flex-1 basis-48 text-sm text-muted">
					{organizationDeleteAt === null
						? `Deletes all recordings, jobs, runners, members and settings of ${organizationName}, ${ORGANIZATION_GRACE_DAYS} days after you ask for it. Until then, every owner can cancel it.`
						: `This organization will be deleted on ${formatExact(organizationDeleteAt)}.`}
				</p>
				{organizationDeleteAt === null ? (
					<Button variant="danger" onClick={() => setAsking(true)}>
						Delete organization…
					</Button>
				) : (
					<CancelDeletion />
				)}
			</div>
			<DialogRoot open={asking} onOpenChange={setAsking}>
				<DialogContent narrow>
					<div className="p-5">
						<DialogTitle className="text-lg font-semibold break-words">{`Delete ${organizationName}?`}</DialogTitle>
						<DialogDescription className="mt-1 text-sm text-muted">
							{`Everything in it is deleted in ${ORGANIZATION_GRACE_DAYS} days, and can't be restored then. Entries of its audit log go when they are a year old.`}
						</DialogDescription>
						{asking ? <NameQuestion onCancel={() => setAsking(false)} /> : null}
					</div>
				</DialogContent>
			</DialogRoot>
		</Section>
	);
}

/** The second question: the organization's name. */
function NameQuestion({ onCancel }: { onCancel(): void }) {
	const { organizationName } = useSession();
	const form = useServerForm({ name: "" }, async ({ name }) => {
		await call<OrganizationDeletion>("POST", "/v1/organization/deletion", { body: { name } });
		// Every page says so, and the session is a part of them.
		location.reload();
	});
	return (
		<form {...form.props} className="mt-4 flex flex-col gap-4">
			<FormError message={form.error} />
			<InputField
				form={form}
				name="name"
				label={`Type ${organizationName} to confirm`}
				maxLength={100}
				autoComplete="off"
			/>
			<div className="flex justify-end gap-2">
				<Button onClick={onCancel}>Cancel</Button>
				<SubmitButton form={form} variant="danger">
					Delete organization
				</SubmitButton>
			</div>
		</form>
	);
}

/** Keeps the organization. */
function CancelDeletion() {
	const cancel = useMutation({ mutationFn: () => call<void>("DELETE", "/v1/organization/deletion") });
	const press = () =>
		void toastOutcome(cancel.mutateAsync(), {
			done: () => location.reload(),
			failed: "Couldn't cancel the deletion.",
		});
	return (
		<Button aria-disabled={cancel.isPending} onClick={press}>
			Keep organization
		</Button>
	);
}
