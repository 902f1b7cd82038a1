"use client";

import { switchOrganization } from "#components/session/switch-organization.ts";
import { useSession } from "#components/session/use-session.ts";
import { toast } from "#components/ui/toast.ts";
import { useCreateOrganization, useRenameOrganization } from "#lib/client/members.ts";
import { settingsTexts, memberTexts as texts } from "#lib/texts/settings.ts";
import { NameForm } from "./name-form.tsx";
import { Section } from "./section.tsx";

export function OrganizationSection() {
	const { organizationName } = useSession();
	const rename = useRenameOrganization();
	return (
		<Section title={texts.organization}>
			<NameForm
				label={texts.organizationName}
				name={organizationName}
				action={settingsTexts.save}
				save={async (name) => {
					await rename.mutateAsync(name);
					toast.success(texts.renamed);
				}}
			/>
		</Section>
	);
}

/** Another organization of one's own; one goes there at once. */
export function NewOrganizationSection() {
	const create = useCreateOrganization();
	return (
		<Section title={texts.another} intro={texts.anotherIntro}>
			<NameForm
				label={texts.anotherName}
				name=""
				action={texts.create}
				save={async (name) => switchOrganization((await create.mutateAsync(name)).id)}
			/>
		</Section>
	);
}
