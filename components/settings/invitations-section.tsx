"use client";

import { useQuery } from "@tanstack/react-query";
import type { Invitation, InvitationState, NewInvitation } from "@tapedeck/contract/member.ts";
import type { Role } from "@tapedeck/contract/permissions.ts";
import { rolesWithin } from "@tapedeck/contract/permissions.ts";
import { useState } from "react";
import { useSession } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { FormError, InputField, SelectField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { isolated } from "#lib/client/format.ts";
import { invitationsQuery, useInvite, useRevokeInvitation } from "#lib/client/members.ts";
import { RoleOptions } from "./members-section.tsx";
import { Rows, Section } from "./section.tsx";

/** Links with which people join: created, listed with their state, revoked. */
export function InvitationsSection() {
	const invitations = useQuery(invitationsQuery());
	return (
		<Section title="Invitations" intro="Each link lets one person join within 7 days.">
			<InviteForm />
			<div className="mt-4">
				<Rows label="Invitations" list={invitations} none="No invitations yet." keyOf={({ id }) => id}>
					{(invitation) => <InvitationRow invitation={invitation} />}
				</Rows>
			</div>
		</Section>
	);
}

function InviteForm() {
	const { role: myRole } = useSession();
	const invite = useInvite();
	const [created, setCreated] = useState<NewInvitation | null>(null);
	const form = useServerForm({ role: "member" as Role, email: "" }, async ({ role, email }) => {
		setCreated(null);
		setCreated(await invite.mutateAsync({ role, ...(email === "" ? {} : { email }) }));
		form.reset();
	});
	return (
		<div className="flex flex-col gap-3">
			<form {...form.props} className="flex flex-col gap-3">
				<FormError message={form.error} />
				<div className="grid items-start gap-3 sm:grid-cols-[8rem_1fr_auto]">
					<SelectField form={form} name="role" label="Role">
						<RoleOptions roles={rolesWithin(myRole)} />
					</SelectField>
					<InputField
						form={form}
						name="email"
						label="Email (optional)"
						hint="If set, only this email can use the link."
						type="email"
						autoComplete="off"
					/>
					<SubmitButton form={form} className="sm:mt-6">
						Invite
					</SubmitButton>
				</div>
			</form>
			{created === null ? null : (
				<div role="status">
					<p className="mb-1 text-sm">
						{created.emailed
							? `Sent to ${created.email}. This is the link, if the email doesn't arrive. It's shown only once.`
							: "Copy and send this link. It's shown only once."}
					</p>
					<CodeBlock text={created.url} label="Copy the link" />
				</div>
			)}
		</div>
	);
}

const ANYBODY = "Anyone with the link";
const STATES: Record<InvitationState, string> = {
	open: "Open",
	accepted: "Accepted",
	revoked: "Revoked",
	expired: "Expired",
};

function InvitationRow({
	invitation: { id, email, role, state, createdAt, createdBy, acceptedBy },
}: {
	invitation: Invitation;
}) {
	const revoke = useRevokeInvitation();
	const start = () =>
		void toastOutcome(revoke.mutateAsync(id), {
			done: "Revoked the invitation.",
			failed: "Couldn't revoke the invitation.",
		});
	return (
		<>
			<div className="min-w-0 flex-1 basis-48">
				<p className="truncate text-sm font-medium">
					{email ?? ANYBODY} <span className="font-normal text-muted">as {role}</span>
				</p>
				<p className="truncate text-xs text-muted tabular-nums">
					{STATES[state]}
					{acceptedBy === null ? null : ` by ${isolated(acceptedBy)}`} · created <TimeAgo at={createdAt} />
					{createdBy === null ? null : ` by ${isolated(createdBy)}`}
				</p>
			</div>
			{state === "open" ? (
				<Button
					size="small"
					variant="danger"
					aria-label={`Revoke invitation of ${email ?? acceptedBy ?? ANYBODY}`}
					aria-disabled={revoke.isPending}
					onClick={start}
				>
					Revoke
				</Button>
			) : null}
		</>
	);
}
