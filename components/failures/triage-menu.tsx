"use client";

import { useQuery } from "@tanstack/react-query";
import { MAX_LETS_PASS_DAYS } from "@tapedeck/contract/gate.ts";
import type { Triage } from "@tapedeck/contract/test-failure.ts";
import { Bell, BellOff, UserRound, UserRoundCheck, UserRoundX } from "lucide-react";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { useSession } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { FormError, InputField, SelectField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { MenuItem, MenuPanel, MenuSeparator } from "#components/ui/menu.tsx";
import type { MenuControl } from "#components/ui/menu-button.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { counted } from "#lib/client/format.ts";
import { membersQuery } from "#lib/client/members.ts";
import { type Decision, type TriageOf, useTriage } from "./failures.ts";
import { muteDays } from "./mute-days.ts";

interface Props {
	of: TriageOf;
	title: string;
	triage: Triage | null;
}

/** The decisions about a group: the person who looks after it, and the duration of its mute. */
export function TriageMenu({ of, title, triage, ...control }: MenuControl & Props) {
	const { userId } = useSession();
	const [dialog, setDialog] = useState<"assign" | "mute" | null>(null);
	const decide = useTriage(of);
	const send = (decision: Decision, done: string) =>
		void toastOutcome(decide.mutateAsync(decision), { done, failed: "Couldn't save this." });
	const onOpenChange = (open: boolean) => setDialog((current) => (open ? current : null));
	const assignee = triage?.assignee ?? null;
	return (
		<>
			<MenuPanel {...control}>
				{assignee?.userId === userId ? null : (
					<MenuItem onSelect={() => send({ assigneeUserId: userId }, "Assigned to you.")}>
						<UserRoundCheck aria-hidden />
						Assign to me
					</MenuItem>
				)}
				<MenuItem onSelect={() => setDialog("assign")}>
					<UserRound aria-hidden />
					Assign to…
				</MenuItem>
				{assignee === null ? null : (
					<MenuItem onSelect={() => send({ assigneeUserId: null }, "Unassigned.")}>
						<UserRoundX aria-hidden />
						Unassign
					</MenuItem>
				)}
				<MenuSeparator />
				{triage?.mutedUntil == null ? (
					<MenuItem onSelect={() => setDialog("mute")}>
						<BellOff aria-hidden />
						Mute…
					</MenuItem>
				) : (
					<MenuItem onSelect={() => send({ mutedUntil: null }, "Unmuted.")}>
						<Bell aria-hidden />
						Unmute
					</MenuItem>
				)}
			</MenuPanel>
			<TriageDialog name="Assign" title={title} open={dialog === "assign"} onOpenChange={onOpenChange}>
				<AssignForm of={of} assigneeUserId={assignee?.userId ?? null} onDone={() => setDialog(null)} />
			</TriageDialog>
			<TriageDialog name="Mute" title={title} open={dialog === "mute"} onOpenChange={onOpenChange}>
				<MuteForm of={of} assigneeUserId={assignee?.userId ?? userId} onDone={() => setDialog(null)} />
			</TriageDialog>
		</>
	);
}

interface DialogProps {
	name: string;
	title: string;
	open: boolean;
	onOpenChange(open: boolean): void;
	children: React.ReactNode;
}

const TriageDialog = ({ name, title, open, onOpenChange, children }: DialogProps) => (
	<DialogRoot open={open} onOpenChange={onOpenChange}>
		<DialogContent
			narrow
			onOpenAutoFocus={(event) => {
				event.preventDefault();
				(event.currentTarget as HTMLElement).querySelector<HTMLElement>("input, select")?.focus();
			}}
		>
			<DialogHead title={name} description={<span className="line-clamp-2 break-words">{title}</span>} />
			{children}
		</DialogContent>
	</DialogRoot>
);

interface FormProps {
	of: TriageOf;
	onDone(): void;
}

function AssignForm({ of, assigneeUserId, onDone }: FormProps & { assigneeUserId: number | null }) {
	const members = useQuery(membersQuery()).data ?? [];
	const decide = useTriage(of);
	const form = useServerForm({ assigneeUserId: String(assigneeUserId ?? "") }, async (values) => {
		const userId = values.assigneeUserId === "" ? null : Number(values.assigneeUserId);
		const { assignee } = await decide.mutateAsync({ assigneeUserId: userId });
		toast.success(assignee === null ? "Unassigned." : `Assigned to ${assignee.name}.`);
		onDone();
	});
	return (
		<form {...form.props} className="flex flex-col gap-4 p-5">
			<FormError message={form.error} />
			{/* A select shows its value only once it has the option. */}
			<SelectField key={members.length} form={form} name="assigneeUserId" label="Member">
				<option value="">Nobody</option>
				{members.map(({ userId, name, email }) => (
					<option key={userId} value={userId}>
						{`${name} (${email})`}
					</option>
				))}
			</SelectField>
			<Buttons form={form} onDone={onDone} submit="Assign" />
		</form>
	);
}

const DAY_MS = 86_400_000;
/** Less than 30 days by a clock that is a little behind this one. */
const CLOCKS_MS = 60_000;

/** @param assigneeUserId who looks after it, if CI passes in spite of it. */
function MuteForm({ of, assigneeUserId, onDone }: FormProps & { assigneeUserId: number }) {
	const decide = useTriage(of);
	const values = { reason: "", mutedUntil: "7", letsPass: "no" };
	const form = useServerForm(values, async ({ reason, mutedUntil, letsPass }) => {
		const until = new Date(Date.now() + Number(mutedUntil) * DAY_MS - CLOCKS_MS).toISOString();
		const passes = letsPass === "yes";
		await decide.mutateAsync({ mutedUntil: until, reason, ...(passes ? { letsPass: true, assigneeUserId } : {}) });
		toast.success(passes ? "Muted. CI passes in spite of it." : "Muted.");
		onDone();
	});
	const { control, setValue } = form;
	const [chosen, letsPass] = useWatch({ control, name: ["mutedUntil", "letsPass"] });
	const days = muteDays(letsPass === "yes");
	const longest = Math.max(...days);
	useEffect(() => {
		if (Number(chosen) > longest) setValue("mutedUntil", `${longest}`);
	}, [chosen, longest, setValue]);
	return (
		<form {...form.props} className="flex flex-col gap-4 p-5">
			<FormError message={form.error} />
			<InputField
				form={form}
				name="reason"
				label="Reason"
				hint="Shown to everyone."
				maxLength={500}
				autoComplete="off"
			/>
			{"cause" in of ? (
				<SelectField
					form={form}
					name="letsPass"
					label="Let CI pass?"
					hint={`With tapedeck run --gate, for up to ${MAX_LETS_PASS_DAYS} days. You look after it, unless another person does already.`}
				>
					<option value="no">No, only hide it here</option>
					<option value="yes">Yes, until the mute ends</option>
				</SelectField>
			) : null}
			<SelectField form={form} name="mutedUntil" label="For">
				{days.map((each) => (
					<option key={each} value={each}>
						{counted(each, "day", "days")}
					</option>
				))}
			</SelectField>
			<Buttons form={form} onDone={onDone} submit="Mute" />
		</form>
	);
}

const Buttons = ({
	form,
	submit,
	onDone,
}: {
	form: { ready: boolean; busy: boolean };
	submit: string;
	onDone(): void;
}) => (
	<div className="flex justify-end gap-2">
		<Button onClick={onDone}>Cancel</Button>
		<SubmitButton form={form} variant="primary">
			{submit}
		</SubmitButton>
	</div>
);
