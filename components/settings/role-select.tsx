"use client";

import { inputClass } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { useChangeRole } from "#lib/client/members.ts";
import type { Member } from "#lib/contract/member.ts";
import type { Role } from "#lib/contract/organization.ts";
import { ROLE_WORDS, settingsTexts, memberTexts as texts } from "#lib/texts/settings.ts";

/** Changes a member's role as soon as another is chosen; refused, the old one stands again. */
export function RoleSelect({ member, roles }: { member: Member; roles: readonly Role[] }) {
	const change = useChangeRole();
	const choose = (role: Role) =>
		change.mutate(
			{ userId: member.userId, role },
			{
				onSuccess: () => toast.success(texts.roleChanged(member.name, role)),
				onError: (error) => toast.error(settingsTexts.failed(wordsOf(error))),
			},
		);
	return (
		<select
			aria-label={texts.roleOf(member.name)}
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
		<option key={role} value={role} title={ROLE_WORDS[role].may}>
			{ROLE_WORDS[role].name}
		</option>
	));
