"use client";

import { useQuery } from "@tanstack/react-query";
import type { NewWebhook, Webhook } from "@tapedeck/contract/webhook.ts";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Rows, Section } from "#components/settings/section.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { counted, formatExact } from "#lib/client/format.ts";
import { DeliveriesDialog } from "./deliveries-dialog.tsx";
import { KIND_LABELS, WebhookDialog, WebhookSecret } from "./webhook-dialog.tsx";
import {
	useChangeWebhook,
	useDeleteWebhook,
	useRotateWebhookSecret,
	useTestWebhook,
	webhooksQuery,
} from "./webhooks.ts";

/** The organization's webhooks: created, changed, paused, tested, with the log of each. */
export function WebhooksPage() {
	return useCan("settings:write") ? <Webhooks /> : <Notice>Only owners and admins can see webhooks.</Notice>;
}

/** A dialog that a row has opened; held here because the row may change meanwhile. */
type Opened = { what: "deliveries" | "change" | "delete" | "rotate"; webhook: Webhook } | null;

function Webhooks() {
	const list = useQuery(webhooksQuery());
	const [opened, setOpened] = useState<Opened>(null);
	const openedFor = (what: NonNullable<Opened>["what"]) => (opened?.what === what ? opened.webhook : null);
	const close = () => setOpened(null);
	const intro = (
		<>
			Signed requests to your own programs when something happens, and messages to chats when builds end. See{" "}
			<a href="/docs/guides/webhooks" className="text-accent underline underline-offset-2">
				the guide
			</a>
			.
		</>
	);
	return (
		<Section title="Webhooks" intro={intro}>
			<DialogButton dialog={(control) => <WebhookDialog webhook={null} {...control} />}>
				<Plus aria-hidden className="size-4" />
				Add webhook
			</DialogButton>
			<div className="mt-3">
				<Rows label="Webhooks" list={list} none="None yet." keyOf={({ id }) => id}>
					{(webhook) => <WebhookRow webhook={webhook} onOpen={(what) => setOpened({ what, webhook })} />}
				</Rows>
			</div>
			<DeliveriesDialog webhook={openedFor("deliveries")} onClose={close} />
			<WebhookDialog webhook={openedFor("change")} open={openedFor("change") !== null} onOpenChange={close} />
			<RotateDialog webhook={openedFor("rotate")} onClose={close} />
			<DeleteDialog webhook={openedFor("delete")} onClose={close} />
		</Section>
	);
}

function WebhookRow({ webhook, onOpen }: { webhook: Webhook; onOpen(what: NonNullable<Opened>["what"]): void }) {
	const change = useChangeWebhook();
	const test = useTestWebhook();
	const {
		id,
		url,
		kind,
		events,
		q,
		onlyNew,
		paused,
		pausedBecause,
		waiting,
		previousSecretUntil,
		createdBy,
		createdAt,
	} = webhook;
	const pauseLabel = paused ? "Resume" : "Pause";
	const pause = () =>
		void toastOutcome(change.mutateAsync({ id, paused: !paused }), {
			done: paused ? "Resumed." : "Paused. Deliveries wait.",
			failed: paused ? "Couldn't resume it." : "Couldn't pause it.",
		});
	const sendTest = () =>
		void toastOutcome(test.mutateAsync(id), {
			done: "Test sent. Its delivery is in the log.",
			failed: "Couldn't send a test.",
		});
	return (
		<>
			<div className="min-w-0 flex-1">
				<p className="text-sm font-medium wrap-anywhere">{url}</p>
				<p className="text-xs text-muted wrap-anywhere">
					{kind === "standard" ? events.join(", ") : `${KIND_LABELS[kind]}: a message at the end of each build`}
					{onlyNew ? " · without builds that have no new failures" : null}
					{q === null ? null : ` · only ${q}`}
				</p>
				<p className="text-xs text-muted tabular-nums">
					created <TimeAgo at={createdAt} />
					{createdBy === null ? null : ` by ${createdBy}`}
					{waiting === 0 ? null : ` · ${counted(waiting, "delivery waits", "deliveries wait")}`}
				</p>
				{paused ? <p className="text-xs text-warn">Paused. {pausedBecause}</p> : null}
				{previousSecretUntil === null ? null : (
					<p className="text-xs text-warn">
						Its old secret works until <time dateTime={previousSecretUntil}>{formatExact(previousSecretUntil)}</time>.
					</p>
				)}
			</div>
			<div className="flex w-full flex-wrap gap-2">
				<Button size="small" aria-label={`Deliveries to ${url}`} onClick={() => onOpen("deliveries")}>
					Deliveries
				</Button>
				<Button size="small" aria-label={`Send test to ${url}`} aria-disabled={test.isPending} onClick={sendTest}>
					Send test
				</Button>
				<Button size="small" aria-label={`${pauseLabel} ${url}`} aria-disabled={change.isPending} onClick={pause}>
					{pauseLabel}
				</Button>
				<Button size="small" aria-label={`Change ${url}`} onClick={() => onOpen("change")}>
					Change
				</Button>
				{kind === "standard" ? (
					<Button size="small" aria-label={`Rotate secret of ${url}`} onClick={() => onOpen("rotate")}>
						Rotate secret
					</Button>
				) : null}
				<Button size="small" variant="danger" aria-label={`Delete ${url}`} onClick={() => onOpen("delete")}>
					Delete
				</Button>
			</div>
		</>
	);
}

/** Asks first, then shows the new secret. */
function RotateDialog({ webhook, onClose }: { webhook: Webhook | null; onClose(): void }) {
	const rotate = useRotateWebhookSecret();
	const [rotated, setRotated] = useState<NewWebhook | null>(null);
	const done = () => {
		setRotated(null);
		onClose();
	};
	const confirm = () => {
		if (webhook === null) return;
		void toastOutcome(rotate.mutateAsync(webhook.id).then(setRotated), {
			done: "Secret replaced.",
			failed: "Couldn't replace the secret.",
		});
	};
	return (
		<>
			<ConfirmDialog
				open={webhook !== null && rotated === null}
				onOpenChange={(open) => open || rotated !== null || onClose()}
				title="Rotate the secret?"
				action="Rotate secret"
				busy={rotate.isPending}
				onConfirm={confirm}
			>
				For 24 hours, requests are signed with the old secret as well.
			</ConfirmDialog>
			<DialogRoot open={rotated !== null} onOpenChange={(open) => open || done()}>
				<DialogContent>
					<DialogHead title="New secret" description={webhook?.url ?? ""} />
					{rotated === null ? null : <WebhookSecret webhook={rotated} onDone={done} />}
				</DialogContent>
			</DialogRoot>
		</>
	);
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook | null; onClose(): void }) {
	const remove = useDeleteWebhook();
	const confirm = () => {
		if (webhook === null) return;
		void toastOutcome(remove.mutateAsync(webhook.id), { done: "Webhook deleted.", failed: "Couldn't delete it." }).then(
			onClose,
		);
	};
	return (
		<ConfirmDialog
			open={webhook !== null}
			onOpenChange={(open) => open || onClose()}
			title="Delete this webhook?"
			action="Delete"
			busy={remove.isPending}
			onConfirm={confirm}
		>
			Its deliveries are deleted, too, also those that wait. You can't undo this.
		</ConfirmDialog>
	);
}
