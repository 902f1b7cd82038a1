"use client";

import { useQuery } from "@tanstack/react-query";
import type { Member } from "@tapedeck/contract/member.ts";
import type { Role } from "@tapedeck/contract/permissions.ts";
import { rolesWithin } from "@tapedeck/contract/permissions.ts";
import { useState } from "react";
import { useCan, useSession } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { counted, isolated } from "#lib/client/format.ts";
import { membersQuery, useChangeRole, useRemoveMember, useResetPasswordLink } from "#lib/client/members.ts";
import { Rows, Section } from "./section.tsx";

const ROLES: Record<Role, { name: string; may: string }> = {
	owner: { name: "Owner", may: "Full access, including other owners." },
	admin: { name: "Admin", may: "Manages members, keys, tokens and retention." },
	member: { name: "Member", may: "Records, cancels, and changes recordings." },
	viewer: { name: "Viewer", may: "Read only." },
};

/** Whether the user is the organization's only owner, who can neither leave nor change role; undefined until known. */
export function useIsSoleOwner(): boolean | undefined {
	const { role } = useSession();
	const members = useQuery(membersQuery()).data;
	if (role !== "owner") return false;
	return members && members.filter((member) => member.role === "owner").length === 1;
}

/** The members and their roles, which owners and admins change. */
export function MembersSection() {
	const members = useQuery(membersQuery());
	const { organizationName } = useSession();
	const [removing, setRemoving] = useState<Member | null>(null);
	const remove = useRemoveMember();
	const confirmed = () => {
		if (removing === null) return;
		void toastOutcome(remove.mutateAsync(removing.userId), {
			done: `Removed ${isolated(removing.name)}.`,
			failed: `Couldn't remove ${isolated(removing.name)}.`,
		}).then(() => setRemoving(null));
	};
	const intro = members.data && `${counted(members.data.length, "person", "people")} in ${organizationName}.`;
	return (
		<Section title="Members" intro={intro}>
			<Rows label="Members" list={members} keyOf={({ userId }) => userId}>
				{(member) => <MemberRow member={member} onRemove={() => setRemoving(member)} />}
			</Rows>
			<ConfirmDialog
				open={removing !== null}
				onOpenChange={(open) => (open ? undefined : setRemoving(null))}
				title={`Remove ${isolated(removing?.name ?? "")}?`}
				action="Remove"
				busy={remove.isPending}
				onConfirm={confirmed}
			>
				They lose access immediately, in every browser. Their recordings stay. Their API keys and open invitations are
				revoked.
			</ConfirmDialog>
		</Section>
	);
}

function MemberRow({ member, onRemove }: { member: Member; onRemove(): void }) {
	const me = useSession();
	const isMe = member.userId === me.userId;
	const mayChange = useCan("organization:manage") && rolesWithin(me.role).includes(member.role);
	const isSoleOwner = useIsSoleOwner() === true && isMe;
	return (
		<>
			<div className="min-w-0 flex-1 basis-48">
				<p className="truncate text-sm font-medium">
					{member.name} {isMe ? <span className="font-normal text-muted">(you)</span> : null}
				</p>
				<p className="truncate text-xs text-muted">{member.email}</p>
			</div>
			<div className="flex flex-wrap items-center gap-2">
				{mayChange && !isSoleOwner ? (
					<RoleSelect member={member} roles={rolesWithin(me.role)} />
				) : (
					<span className="rounded-full bg-inset px-2 py-0.5 text-xs font-medium text-muted">
						{ROLES[member.role].name}
					</span>
				)}
				{mayChange && !isMe ? (
					<>
						<PasswordResetButton member={member} />
						<Button size="small" variant="danger" aria-label={`Remove ${member.name}`} onClick={onRemove}>
							Remove
						</Button>
					</>
				) : null}
			</div>
		</>
	);
}

/** Changes a member's role as soon as another is chosen; when that is refused, it shows the old one again. */
function RoleSelect({ member, roles }: { member: Member; roles: readonly Role[] }) {
	const change = useChangeRole();
	const choose = (role: Role) =>
		void toastOutcome(change.mutateAsync({ userId: member.userId, role }), {
			done: `Changed the role of ${isolated(member.name)} to ${role}.`,
			failed: "Couldn't change the role.",
		});
	return (
		<select
			aria-label={`Role of ${member.name}`}
			className={inputClass(false, "w-28")}
			value={change.isPending ? change.variables.role : member.role}
			onChange={(event) => choose(event.target.value as Role)}
		>
			<RoleOptions roles={roles} />
		</select>
	);
}

export const RoleOptions = ({ roles }: { roles: readonly Role[] }) =>
	roles.map((role) => (
		<option key={role} value={role} title={ROLES[role].may}>
			{ROLES[role].name}
		</option>
	));

/** Creates a link that sets a new password, and shows it once. */
function PasswordResetButton({ member: { userId, name } }: { member: Member }) {
	const create = useResetPasswordLink();
	const start = () => {
		if (create.isPending) return;
		void toastOutcome(create.mutateAsync(userId), { failed: "Couldn't create the link." });
	};
	return (
		<>
			<Button size="small" aria-label={`Reset password of ${name}`} aria-disabled={create.isPending} onClick={start}>
				Reset password
			</Button>
			<DialogRoot open={create.data !== undefined} onOpenChange={(open) => (open ? undefined : create.reset())}>
				<DialogContent narrow>
					<DialogHead
						title={`Reset password of ${name}`}
						description={`${create.data?.emailed ? `Sent to ${isolated(name)} by email.` : `Send this link to ${isolated(name)}.`} It sets a new password once, within 24 hours. The link is shown only once.`}
					/>
					<div className="p-5">
						<CodeBlock text={create.data?.url ?? ""} label="Copy the link" />
					</div>
				</DialogContent>
			</DialogRoot>
		</>
	);
}
