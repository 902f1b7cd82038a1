"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { switchOrganization } from "#components/account/session-changes.ts";
import { useCan, useSession } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { FormError, SelectField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { isolated } from "#lib/client/format.ts";
import {
	membersQuery,
	useCreateOrganization,
	useRemoveMember,
	useRenameOrganization,
	useTransferOwnership,
} from "#lib/client/members.ts";
import { DeleteOrganizationSection } from "./delete-organization-section.tsx";
import { InvitationsSection } from "./invitations-section.tsx";
import { MembersSection, useIsSoleOwner } from "./members-section.tsx";
import { NameForm } from "./name-form.tsx";
import { Section } from "./section.tsx";

/** The organization: its name, members and invitations, leaving it, creating another, deleting it. */
export function MembersPage() {
	const mayAdminister = useCan("organization:manage");
	const mayDelete = useCan("organization:delete");
	return (
		<>
			{mayAdminister ? <OrganizationSection /> : null}
			<MembersSection />
			{mayAdminister ? <InvitationsSection /> : null}
			<LeaveSection />
			{mayAdminister ? <NewOrganizationSection /> : null}
			{mayDelete ? <DeleteOrganizationSection /> : null}
		</>
	);
}

function OrganizationSection() {
	const { organizationName } = useSession();
	const rename = useRenameOrganization();
	return (
		<Section title="Organization">
			<NameForm
				label="Organization name"
				name={organizationName}
				action="Save"
				save={async (name) => {
					await rename.mutateAsync(name);
					toast.success("Organization name saved.");
				}}
			/>
		</Section>
	);
}

/** Creates another organization and switches to it. */
function NewOrganizationSection() {
	const create = useCreateOrganization();
	return (
		<Section
			title="New organization"
			intro="A separate organization with its own members, runners and recordings. Switch in the account menu."
		>
			<NameForm
				label="Name of the new organization"
				name=""
				action="Create organization"
				save={async (name) => switchOrganization((await create.mutateAsync(name)).id)}
			/>
		</Section>
	);
}

/** Actions that a member cannot undo alone: transferring ownership, and leaving. */
function LeaveSection() {
	return (
		<Section title="Leave or transfer ownership">
			<div className="divide-y divide-line rounded-lg border border-danger/30 bg-surface">
				{useCan("organization:transfer") ? <Transfer /> : null}
				<Leave />
			</div>
		</Section>
	);
}

function Leave() {
	const { userId, organizationName } = useSession();
	const isSoleOwner = useIsSoleOwner();
	const [asking, setAsking] = useState(false);
	const leave = useRemoveMember();
	if (isSoleOwner === undefined) return null;
	if (isSoleOwner) {
		return (
			<p className="p-4 text-sm text-muted">
				You are the only owner, so you can't leave or change your role. Make another member an owner first.
			</p>
		);
	}
	const effect = "You lose access immediately. An owner or admin can invite you again.";
	const confirmed = () =>
		void toastOutcome(leave.mutateAsync(userId), {
			// Shows another organization, or the page that says there is none.
			done: () => location.assign("/jobs"),
			failed: "Couldn't leave.",
		}).then(() => setAsking(false));
	return (
		<div className="flex flex-wrap items-center justify-between gap-3 p-4">
			<p className="min-w-0 flex-1 basis-48 text-sm text-muted">{effect}</p>
			<Button variant="danger" onClick={() => setAsking(true)}>
				Leave organization
			</Button>
			<ConfirmDialog
				open={asking}
				onOpenChange={setAsking}
				title={`Leave ${organizationName}?`}
				action="Leave organization"
				busy={leave.isPending}
				onConfirm={confirmed}
			>
				{effect}
			</ConfirmDialog>
		</div>
	);
}

function Transfer() {
	const me = useSession();
	const others = useQuery(membersQuery()).data?.filter(({ userId }) => userId !== me.userId) ?? [];
	return others.length === 0 ? null : <TransferForm others={others} />;
}

function TransferForm({ others }: { others: { userId: number; name: string; email: string }[] }) {
	const transfer = useTransferOwnership();
	const [newOwner, setNewOwner] = useState<(typeof others)[number] | null>(null);
	const form = useServerForm({ userId: String(others[0]?.userId) }, async ({ userId }) =>
		setNewOwner(others.find((other) => String(other.userId) === userId) ?? null),
	);
	const confirmed = () => {
		if (newOwner === null) return;
		void toastOutcome(transfer.mutateAsync(newOwner.userId), {
			done: `${isolated(newOwner.name)} is now the owner.`,
			failed: "Couldn't transfer ownership.",
		}).then(() => setNewOwner(null));
	};
	return (
		<form {...form.props} className="flex flex-wrap items-end justify-between gap-3 p-4">
			<FormError message={form.error} />
			<SelectField
				form={form}
				name="userId"
				label="New owner"
				hint="The new owner takes over and you become an admin."
				className="flex-1 basis-48"
			>
				{others.map(({ userId, name, email }) => (
					<option key={userId} value={userId}>
						{`${name} (${email})`}
					</option>
				))}
			</SelectField>
			<SubmitButton form={form} variant="danger">
				Transfer ownership
			</SubmitButton>
			<ConfirmDialog
				open={newOwner !== null}
				onOpenChange={(open) => (open ? undefined : setNewOwner(null))}
				title={`Make ${isolated(newOwner?.name ?? "")} the owner?`}
				action="Transfer ownership"
				busy={transfer.isPending}
				onConfirm={confirmed}
			>
				You become an admin and can't undo this yourself.
			</ConfirmDialog>
		</form>
	);
}
