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
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { Link } from "#components/navigation/link.tsx";
import { toast } from "#components/ui/toast.ts";
import { wordsOf } from "#lib/client/api.ts";
import { formatBytes, formatSpan } from "#lib/client/format.ts";
import { uploads } from "#lib/client/upload.ts";
import { isUnfinished, type Upload, type UploadState } from "#lib/client/uploads.ts";
import { uploadTexts as texts } from "#lib/texts/uploads.ts";

const ICONS: Record<UploadState, { Icon: LucideIcon; tone: string }> = {
	waiting: { Icon: Clock3, tone: "text-muted" },
	sending: { Icon: UploadIcon, tone: "text-accent" },
	checking: { Icon: UploadIcon, tone: "text-accent" },
	paused: { Icon: Pause, tone: "text-muted" },
	retrying: { Icon: RotateCw, tone: "text-warn" },
	done: { Icon: CircleCheck, tone: "text-ok" },
	failed: { Icon: CircleX, tone: "text-danger" },
};

/** One upload: how far it is, and what can be done with it. */
export function UploadRow({ upload }: { upload: Upload }) {
	const { id, name, state, bytes, sentBytes, recordingId } = upload;
	const { Icon, tone } = ICONS[state];
	const percent = bytes === 0 ? 0 : Math.floor((100 * sentBytes) / bytes);
	return (
		<li className="flex items-center gap-3 py-1.5">
			<Icon aria-hidden className={clsx("size-4 shrink-0", tone)} />
			<div className="min-w-0 flex-1">
				<div className="flex flex-wrap items-baseline gap-x-3 text-sm">
					{recordingId === null ? (
						<span className="max-w-full truncate font-medium">{name}</span>
					) : (
						<Link href={`/recordings/${recordingId}`} className="max-w-full truncate font-medium hover:underline">
							{name}
						</Link>
					)}
					<span className={clsx("text-xs tabular-nums", state === "failed" ? "text-danger" : "text-muted")}>
						<Words upload={upload} />
					</span>
				</div>
				{isUnfinished(upload) ? (
					<div
						role="progressbar"
						aria-label={texts.progressOf(name)}
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
					<Act label={texts.pause(name)} onPress={() => uploads.pause(id)}>
						<Pause aria-hidden className="size-4" />
					</Act>
				) : null}
				{state === "paused" ? (
					<Act label={texts.resume(name)} onPress={() => uploads.resume(id)}>
						<Play aria-hidden className="size-4" />
					</Act>
				) : null}
				{state === "retrying" || state === "failed" ? (
					<Act label={texts.tryAgain(name)} onPress={() => uploads.resume(id)}>
						<RotateCw aria-hidden className="size-4" />
					</Act>
				) : null}
				<Act label={isUnfinished(upload) ? texts.cancel(name) : texts.remove(name)} onPress={() => cancel(upload)}>
					<X aria-hidden className="size-4" />
				</Act>
			</div>
		</li>
	);
}

/** How far it is, how fast, and how long it will take. */
function Words({ upload: { state, problem, bytes, sentBytes, bytesPerSecond } }: { upload: Upload }): ReactNode {
	const sent = texts.sent(formatBytes(sentBytes), formatBytes(bytes));
	switch (state) {
		case "sending": {
			if (bytesPerSecond === null || bytesPerSecond <= 0) return sent;
			const left = formatSpan(Math.max(1, (bytes - sentBytes) / bytesPerSecond));
			return [sent, texts.speed(formatBytes(bytesPerSecond)), texts.left(left)].join(" · ");
		}
		case "paused":
			return `${texts.states.paused} · ${sent}`;
		case "retrying":
		case "failed":
			return `${texts.states[state]} · ${problem}`;
		case "done":
			return `${texts.states.done} · ${formatBytes(bytes)}`;
		default:
			return texts.states[state];
	}
}

const Act = ({ label, onPress, children }: { label: string; onPress(): void; children: ReactNode }) => (
	<Button
		look="quiet"
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
	uploads.cancel(id).catch((error: unknown) => toast.error(texts.notTakenAway(name, wordsOf(error))));
}
