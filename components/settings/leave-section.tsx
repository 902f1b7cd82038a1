"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCan, useSession } from "#components/session/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { membersQuery, useRemoveMember, useTransferOwnership } from "#lib/client/members.ts";
import { settingsTexts, memberTexts as texts } from "#lib/texts/settings.ts";
import { Section } from "./section.tsx";

/** What cannot be taken back by oneself: giving the ownership away, and leaving. */
export function LeaveSection() {
	return (
		<Section title={texts.danger}>
			<div className="divide-y divide-line rounded-lg border border-danger/30 bg-surface">
				{useCan("transferOwnership") ? <Transfer /> : null}
				<Leave />
			</div>
		</Section>
	);
}

function Leave() {
	const { userId, organizationName } = useSession();
	const [asked, setAsked] = useState(false);
	const leave = useRemoveMember();
	const confirmed = () =>
		leave.mutate(userId, {
			// Another organization, or the page that says that there is none.
			onSuccess: () => location.assign("/jobs"),
			onError: (error) => {
				setAsked(false);
				toast.error(settingsTexts.failed(wordsOf(error)));
			},
		});
	return (
		<div className="flex flex-wrap items-center justify-between gap-3 p-4">
			<p className="min-w-0 flex-1 basis-48 text-sm text-muted">{texts.leaveIntro}</p>
			<Button look="danger" onClick={() => setAsked(true)}>
				{texts.leave}
			</Button>
			<ConfirmDialog
				open={asked}
				onOpenChange={setAsked}
				title={texts.leaveQuestion(organizationName)}
				action={texts.leave}
				busy={leave.isPending}
				onConfirm={confirmed}
			>
				{texts.leaveIntro}
			</ConfirmDialog>
		</div>
	);
}

function Transfer() {
	const me = useSession();
	const others = useQuery(membersQuery()).data?.filter(({ userId }) => userId !== me.userId) ?? [];
	const [chosen, setChosen] = useState("");
	const [asked, setAsked] = useState(false);
	const transfer = useTransferOwnership();
	const heir = others.find(({ userId }) => String(userId) === chosen) ?? others[0];
	if (heir === undefined) return null;
	const confirmed = () =>
		transfer.mutate(heir.userId, {
			onSuccess: () => toast.success(texts.transferred(heir.name)),
			onError: (error) => toast.error(settingsTexts.failed(wordsOf(error))),
			onSettled: () => setAsked(false),
		});
	return (
		<div className="flex flex-wrap items-end justify-between gap-3 p-4">
			<Field label={texts.newOwner} hint={texts.transferIntro} className="flex-1 basis-48">
				{(control) => (
					<select {...control} value={String(heir.userId)} onChange={(event) => setChosen(event.target.value)}>
						{others.map(({ userId, name, email }) => (
							<option key={userId} value={userId}>
								{`${name} (${email})`}
							</option>
						))}
					</select>
				)}
			</Field>
			<Button look="danger" onClick={() => setAsked(true)}>
				{texts.transfer}
			</Button>
			<ConfirmDialog
				open={asked}
				onOpenChange={setAsked}
				title={texts.transferQuestion(heir.name)}
				action={texts.transfer}
				busy={transfer.isPending}
				onConfirm={confirmed}
			>
				{texts.transferEffect}
			</ConfirmDialog>
		</div>
	);
}
