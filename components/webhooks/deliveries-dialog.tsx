"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Delivery, Webhook } from "@tapedeck/contract/webhook.ts";
import { useId, useState } from "react";
import { Rows } from "#components/settings/section.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import { inputClass } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { counted, formatExact } from "#lib/client/format.ts";
import { deliveriesQuery, deliveryQuery, useResend } from "./webhooks.ts";

const STATES: Record<Delivery["state"], string> = { waiting: "Waiting", delivered: "Delivered", failed: "Failed" };
const TONES: Record<Delivery["state"], string> = { waiting: "text-warn", delivered: "text-ok", failed: "text-danger" };

/** The log of a webhook. Closed while it is null. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook | null; onClose(): void }) {
	return (
		<DialogRoot open={webhook !== null} onOpenChange={(open) => open || onClose()}>
			<DialogContent>
				<DialogHead title="Deliveries" description={webhook?.url ?? ""} />
				{webhook === null ? null : <Deliveries webhookId={webhook.id} />}
			</DialogContent>
		</DialogRoot>
	);
}

function Deliveries({ webhookId }: { webhookId: number }) {
	const id = useId();
	const [state, setState] = useState<Delivery["state"] | "">("");
	const list = useInfiniteQuery(deliveriesQuery(webhookId, state));
	const [shown, setShown] = useState<number | null>(null);
	const deliveries = list.data?.pages.flatMap(({ data }) => data);
	return (
		<div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-5 *:shrink-0">
			<div>
				<label htmlFor={id} className="mb-1 block text-sm font-medium">
					State
				</label>
				<select
					id={id}
					className={inputClass(false)}
					value={state}
					onChange={({ target }) => setState(target.value as typeof state)}
				>
					<option value="">All</option>
					{Object.entries(STATES).map(([value, label]) => (
						<option key={value} value={value}>
							{label}
						</option>
					))}
				</select>
			</div>
			<Rows
				label="Deliveries"
				list={{ data: deliveries, isPending: list.isPending, error: list.error }}
				none="None in the last 30 days."
				keyOf={({ id }) => id}
			>
				{(delivery) => (
					<>
						<div className="min-w-0 flex-1">
							<p className="text-sm font-medium">
								<span className={TONES[delivery.state]}>{STATES[delivery.state]}</span> {delivery.type}
							</p>
							<Attempts delivery={delivery} />
						</div>
						<Button
							size="small"
							aria-expanded={shown === delivery.id}
							aria-label={`Details of ${delivery.type} ${delivery.id}`}
							onClick={() => setShown(shown === delivery.id ? null : delivery.id)}
						>
							Details
						</Button>
						{shown === delivery.id ? <Details delivery={delivery} /> : null}
					</>
				)}
			</Rows>
			{list.hasNextPage ? (
				<div>
					<Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
						Show older
					</Button>
				</div>
			) : null}
		</div>
	);
}

function Attempts({ delivery }: { delivery: Delivery }) {
	const { createdAt, attempts, status, error, durationSeconds, nextAttemptAt } = delivery;
	return (
		<p className="text-xs wrap-anywhere text-muted tabular-nums">
			<TimeAgo at={createdAt} /> · {counted(attempts, "attempt", "attempts")}
			{/* The error says which status it was. */}
			{error === null ? (status === null ? null : ` · ${status}`) : ` · ${error.replace(/\.$/, "")}`}
			{durationSeconds === null ? null : ` (${durationSeconds} s)`}
			{nextAttemptAt === null || attempts === 0 ? null : ` · next attempt ${formatExact(nextAttemptAt)}`}
		</p>
	);
}

function Details({ delivery }: { delivery: Delivery }) {
	const whole = useQuery(deliveryQuery(delivery));
	const resend = useResend();
	if (whole.isPending) return <Skeleton className="h-24 w-full" />;
	if (whole.isError) return <Notice tone="danger">Couldn't load it. {errorMessage(whole.error)}</Notice>;
	const { body, answer } = whole.data;
	return (
		<div className="flex w-full flex-col gap-2">
			<h3 className="text-xs font-medium text-muted">Body</h3>
			<CodeBlock text={JSON.stringify(JSON.parse(body), null, 2)} label="Copy the body" />
			<h3 className="text-xs font-medium text-muted">Answer</h3>
			{answer ? <CodeBlock text={answer} label="Copy the answer" /> : <p className="text-sm text-muted">Empty.</p>}
			<div>
				<Button
					size="small"
					aria-disabled={resend.isPending}
					onClick={() =>
						void toastOutcome(resend.mutateAsync(delivery), { done: "Sent again.", failed: "Couldn't send it again." })
					}
				>
					Send again
				</Button>
			</div>
		</div>
	);
}
