"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCan, useSession } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { membersQuery, useRemoveMember } from "#lib/client/members.ts";
import type { Member } from "#lib/contract/member.ts";
import { rolesWithin } from "#lib/contract/permissions.ts";
import { ROLE_WORDS, settingsTexts, memberTexts as texts } from "#lib/texts/settings.ts";
import { PasswordResetButton } from "./password-reset-button.tsx";
import { RoleSelect } from "./role-select.tsx";
import { Rows } from "./rows.tsx";
import { Section } from "./section.tsx";

/** Who belongs here and as what; owners and admins change it. */
export function MembersSection() {
	const members = useQuery(membersQuery());
	const { organizationName } = useSession();
	const [leaving, setLeaving] = useState<Member | null>(null);
	const remove = useRemoveMember();
	const confirmed = () => {
		if (leaving === null) return;
		remove.mutate(leaving.userId, {
			onSuccess: () => toast.success(texts.removed(leaving.name)),
			onError: (error) => toast.error(settingsTexts.failed(wordsOf(error))),
			onSettled: () => setLeaving(null),
		});
	};
	const intro = members.data ? texts.intro(members.data.length, organizationName) : undefined;
	return (
		<Section title={texts.members} intro={intro}>
			<Rows label={texts.members} list={members} keyOf={({ userId }) => userId}>
				{(member) => <MemberRow member={member} onRemove={() => setLeaving(member)} />}
			</Rows>
			<ConfirmDialog
				open={leaving !== null}
				onOpenChange={(open) => (open ? undefined : setLeaving(null))}
				title={texts.removeQuestion(leaving?.name ?? "")}
				action={texts.remove}
				busy={remove.isPending}
				onConfirm={confirmed}
			>
				{texts.removeEffect}
			</ConfirmDialog>
		</Section>
	);
}

function MemberRow({ member, onRemove }: { member: Member; onRemove(): void }) {
	const me = useSession();
	const isMe = member.userId === me.userId;
	const mayChange = useCan("administer") && rolesWithin(me.role).includes(member.role);
	return (
		<>
			<div className="min-w-0 flex-1 basis-48">
				<p className="truncate text-sm font-medium">
					{member.name} {isMe ? <span className="font-normal text-muted">{texts.you}</span> : null}
				</p>
				<p className="truncate text-xs text-muted">{member.email}</p>
			</div>
			<div className="flex flex-wrap items-center gap-2">
				{mayChange ? (
					<RoleSelect member={member} roles={rolesWithin(me.role)} />
				) : (
					<span className="rounded-full bg-inset px-2 py-0.5 text-xs font-medium text-muted">
						{ROLE_WORDS[member.role].name}
					</span>
				)}
				{mayChange && !isMe ? (
					<>
						<PasswordResetButton member={member} />
						<Button size="small" look="danger" aria-label={texts.removeOne(member.name)} onClick={onRemove}>
							{texts.remove}
						</Button>
					</>
				) : null}
			</div>
		</>
	);
}
