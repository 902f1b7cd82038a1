"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormFault } from "#components/session/form-fault.tsx";
import { useFormSubmit } from "#components/session/use-form-submit.ts";
import { useSession } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { invitationsQuery, useInvite, useRevokeInvitation } from "#lib/client/members.ts";
import type { Invitation } from "#lib/contract/member.ts";
import type { Role } from "#lib/contract/organization.ts";
import { rolesWithin } from "#lib/contract/permissions.ts";
import { settingsTexts, memberTexts as texts } from "#lib/texts/settings.ts";
import { RoleOptions } from "./role-select.tsx";
import { Rows } from "./rows.tsx";
import { Section } from "./section.tsx";

/** Links that let people in: made, seen with what became of them, revoked. */
export function InvitationsSection() {
	const invitations = useQuery(invitationsQuery());
	return (
		<Section title={texts.invitations} intro={texts.invitationsIntro}>
			<InviteForm />
			<div className="mt-4">
				<Rows label={texts.invitations} list={invitations} none={texts.noInvitations} keyOf={({ id }) => id}>
					{(invitation) => <InvitationRow invitation={invitation} />}
				</Rows>
			</div>
		</Section>
	);
}

function InviteForm() {
	const { role } = useSession();
	const invite = useInvite();
	const [url, setUrl] = useState<string | null>(null);
	const { faults, busy, again, props } = useFormSubmit(["role", "email"], async (text, form) => {
		setUrl(null);
		const email = text("email");
		const made = await invite.mutateAsync({ role: text("role") as Role, ...(email === "" ? {} : { email }) });
		setUrl(made.url);
		form.reset();
		again();
	});
	return (
		<div className="flex flex-col gap-3">
			<form {...props} className="grid items-start gap-3 sm:grid-cols-[8rem_1fr_auto]">
				<FormFault text={faults.form} />
				<Field label={texts.role} error={faults.role} className="sm:col-start-1">
					{(control) => (
						<select {...control} name="role" defaultValue="member">
							<RoleOptions roles={rolesWithin(role)} />
						</select>
					)}
				</Field>
				<Field label={texts.email} hint={texts.emailHint} error={faults.email}>
					{(control) => <input {...control} name="email" type="email" autoComplete="off" />}
				</Field>
				<Button type="submit" aria-disabled={busy} className="sm:mt-6">
					{texts.invite}
				</Button>
			</form>
			{url === null ? null : (
				<div role="status">
					<p className="mb-1 text-sm">{texts.newLink}</p>
					<CodeBlock text={url} label={texts.copyLink} />
				</div>
			)}
		</div>
	);
}

function InvitationRow({
	invitation: { id, email, role, state, createdAt, createdBy, acceptedBy },
}: {
	invitation: Invitation;
}) {
	const revoke = useRevokeInvitation();
	const whom = email ?? acceptedBy ?? texts.anybody;
	const start = () =>
		revoke.mutate(id, {
			onSuccess: () => toast.success(texts.invitationRevoked),
			onError: (error) => toast.error(settingsTexts.failed(wordsOf(error))),
		});
	return (
		<>
			<div className="min-w-0 flex-1 basis-48">
				<p className="truncate text-sm font-medium">
					{email ?? texts.anybody} <span className="font-normal text-muted">{texts.as(role)}</span>
				</p>
				<p className="truncate text-xs text-muted tabular-nums">
					{texts.states[state]}
					{acceptedBy === null ? null : `, ${texts.acceptedBy(acceptedBy)}`} · <TimeAgo at={createdAt} />
					{createdBy === null ? null : ` ${texts.by(createdBy)}`}
				</p>
			</div>
			{state === "open" ? (
				<Button
					size="small"
					look="danger"
					aria-label={texts.revokeOne(whom)}
					aria-disabled={revoke.isPending}
					onClick={start}
				>
					{texts.revoke}
				</Button>
			) : null}
		</>
	);
}
