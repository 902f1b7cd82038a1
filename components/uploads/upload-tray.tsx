"use client";

import { clsx } from "clsx";
import {
	CircleCheck,
	CircleX,
	Clock3,
	type LucideIcon,
	Pause,
	Play,
	RotateCw,
	Upload as UploadIcon,
	X,
} from "lucide-react";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Link } from "#components/navigation/link.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast.ts";
import { errorMessage } from "#lib/client/api.ts";
import { formatBytes, formatSpan, quoted } from "#lib/client/format.ts";
import { uploads } from "./upload.ts";
import { isUnfinished, type Upload, type UploadState, uploadsSummary } from "./uploads.ts";

/** The uploads of this tab, below every page. */
export function UploadTray() {
	const list = useSyncExternalStore(uploads.subscribe, uploads.list, uploads.list);
	const unfinished = list.filter(isUnfinished).length;
	useConfirmLeaving(unfinished > 0);
	useRetryWhenOnline();
	if (list.length === 0) return null;
	return (
		<section
			aria-label="Uploads"
			className="motion-fade flex max-h-[40dvh] shrink-0 flex-col border-t border-line bg-surface print:hidden"
		>
			<header className="flex min-h-10 items-center justify-between gap-3 px-4 md:px-6">
				<h2 className="text-sm font-medium">
					<span role="status">{uploadsSummary(list)}</span>
				</h2>
				{unfinished < list.length ? (
					<Button variant="ghost" size="small" className="pointer-coarse:h-11" onClick={() => uploads.clear()}>
						Clear finished
					</Button>
				) : null}
			</header>
			<ul className="overflow-y-auto px-4 pb-2 md:px-6">
				{list.map((upload) => (
					<Row key={upload.id} upload={upload} />
				))}
			</ul>
		</section>
	);
}

/** The browser asks before the page is left while that would interrupt an upload. */
function useConfirmLeaving(unfinished: boolean): void {
	useEffect(() => {
		if (!unfinished) return;
		const ask = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", ask);
		return () => removeEventListener("beforeunload", ask);
	}, [unfinished]);
}

function useRetryWhenOnline(): void {
	useEffect(() => {
		const retry = () => uploads.retryNow();
		addEventListener("online", retry);
		return () => removeEventListener("online", retry);
	}, []);
}

const STATES: Record<UploadState, { name: string; Icon: LucideIcon; tone: string }> = {
	waiting: { name: "Queued", Icon: Clock3, tone: "text-muted" },
	sending: { name: "Uploading", Icon: UploadIcon, tone: "text-accent" },
	checking: { name: "Checking the file…", Icon: UploadIcon, tone: "text-accent" },
	paused: { name: "Paused", Icon: Pause, tone: "text-muted" },
	retrying: { name: "Retrying", Icon: RotateCw, tone: "text-warn" },
	done: { name: "Uploaded", Icon: CircleCheck, tone: "text-ok" },
	failed: { name: "Failed", Icon: CircleX, tone: "text-danger" },
};

/** One upload: its progress and its buttons. */
function Row({ upload }: { upload: Upload }) {
	const { id, name, state, bytes, sentBytes, recordingId } = upload;
	const { Icon, tone } = STATES[state];
	const percent = bytes === 0 ? 0 : Math.floor((100 * sentBytes) / bytes);
	return (
		<li className="flex items-center gap-3 py-1.5">
			<Icon aria-hidden className={clsx("size-4 shrink-0", tone)} />
			<div className="min-w-0 flex-1">
				<div className="flex flex-wrap items-baseline gap-x-3 text-sm">
					{recordingId === null ? (
						<span className="max-w-full truncate font-medium">{name}</span>
					) : (
						<Link
							href={`/recordings/${recordingId}`}
							className="max-w-full truncate leading-6 font-medium hover:underline"
						>
							{name}
						</Link>
					)}
					<span className={clsx("text-xs tabular-nums", state === "failed" ? "text-danger" : "text-muted")}>
						{progressOf(upload)}
					</span>
				</div>
				{isUnfinished(upload) ? (
					<div
						role="progressbar"
						aria-label={`Upload of ${name}`}
						aria-valuenow={percent}
						aria-valuemin={0}
						aria-valuemax={100}
						className="mt-1 h-1 overflow-hidden rounded-full bg-inset"
					>
						<div
							className={clsx(
								"h-full rounded-full",
								state === "sending" || state === "checking" ? "bg-accent" : "bg-line-strong",
							)}
							style={{ width: `${percent}%` }}
						/>
					</div>
				) : null}
			</div>
			<div className="flex shrink-0">
				{state === "sending" || state === "waiting" ? (
					<RowButton label={`Pause upload of ${name}`} onPress={() => uploads.pause(id)}>
						<Pause aria-hidden className="size-4" />
					</RowButton>
				) : null}
				{state === "paused" ? (
					<RowButton label={`Resume upload of ${name}`} onPress={() => uploads.resume(id)}>
						<Play aria-hidden className="size-4" />
					</RowButton>
				) : null}
				{state === "retrying" || state === "failed" ? (
					<RowButton label={`Retry upload of ${name}`} onPress={() => uploads.resume(id)}>
						<RotateCw aria-hidden className="size-4" />
					</RowButton>
				) : null}
				<RowButton
					label={isUnfinished(upload) ? `Cancel upload of ${name}` : `Remove ${name} from the list`}
					onPress={() => cancel(upload)}
				>
					<X aria-hidden className="size-4" />
				</RowButton>
			</div>
		</li>
	);
}

/** Sent bytes, speed, and the time left. */
function progressOf({ state, problem, bytes, sentBytes, bytesPerSecond }: Upload): string {
	const { name } = STATES[state];
	const sent = `${formatBytes(sentBytes)} of ${formatBytes(bytes)}`;
	switch (state) {
		case "sending": {
			if (bytesPerSecond === null || bytesPerSecond <= 0) return sent;
			const left = formatSpan(Math.max(1, (bytes - sentBytes) / bytesPerSecond));
			return `${sent} · ${formatBytes(bytesPerSecond)}/s · ${left} left`;
		}
		case "paused":
			return `${name} · ${sent}`;
		case "retrying":
		case "failed":
			return `${name} · ${problem}`;
		case "done":
			return `${name} · ${formatBytes(bytes)}`;
		default:
			return name;
	}
}

const RowButton = ({ label, onPress, children }: { label: string; onPress(): void; children: ReactNode }) => (
	<Button
		variant="ghost"
		size="icon"
		className="pointer-coarse:size-11"
		aria-label={label}
		title={label}
		onClick={onPress}
	>
		{children}
	</Button>
);

function cancel({ id, name }: Upload): void {
	uploads
		.cancel(id)
		.catch((error: unknown) =>
			toast.error(
				`Couldn't remove the partial upload of ${quoted(name)}. It's cleaned up within a day. ${errorMessage(error)}`,
			),
		);
}
