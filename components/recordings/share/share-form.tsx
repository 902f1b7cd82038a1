"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import type { CreateShareLink, NewShareLink, SharedPart, ShareLink } from "@tapedeck/contract/link.ts";
import { formatInstant } from "@tapedeck/contract/video-time.ts";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ExactTime, TimeAgo } from "#components/ui/time.tsx";
import { toastOutcome } from "#components/ui/toast.ts";
import { call, errorMessage } from "#lib/client/api.ts";
import { everyPage } from "#lib/client/paging.ts";
import { useChange } from "#lib/client/use-change.ts";
import { stretchOf } from "../player/bug-report.ts";
import type { PlayerStore } from "../player/player-store.ts";

const DAY_MS = 86_400_000;
const LIFETIMES = { 1: "In 1 day", 7: "In 7 days", 30: "In 30 days", never: "Never" };
type Lifetime = "1" | "7" | "30" | "never";

interface Props {
	recordingId: number;
	/** Null for a file without moments: the link opens its page. */
	player: Pick<PlayerStore, "currentSeconds" | "getState"> | null;
}

/** Creates links to a recording, and lists the valid ones. */
export const ShareForm = (props: Props) => (
	<>
		<CreateLink {...props} />
		<Links recordingId={props.recordingId} />
	</>
);

type Opens = ShareLink["opens"];
/** The position at which a shared page starts. */
type Start = "failure" | "moment" | "stretch";
const PARTS: readonly (readonly [SharedPart, string])[] = [
	["tests", "Tests and their messages"],
	["steps", "Steps of the tests"],
	["attachments", "Attachments of the tests, such as screenshots"],
	["tracks", "Tracks, such as the log"],
	["proof", "A review cut with its receipt"],
];

/** The player's position and selected part when the form was opened: the video may continue to play behind it. */
function useMoments(player: Props["player"]) {
	const [moments] = useState(() => {
		if (player === null) return { seconds: 0, stretch: { from: 0, to: 0 }, isChosen: false };
		const { loop, durationSeconds } = player.getState();
		const seconds = Math.round(player.currentSeconds() * 1_000) / 1_000;
		const stretch = stretchOf({ loop, durationSeconds, seconds, failureSeconds: null });
		return { seconds, stretch, isChosen: loop !== null && loop.end !== null };
	});
	return moments;
}

function CreateLink({ recordingId, player }: Props) {
	const { seconds, stretch, isChosen } = useMoments(player);
	const [opens, setOpens] = useState<Opens>("page");
	const [start, setStart] = useState<Start>(isChosen ? "stretch" : "failure");
	const [parts, setParts] = useState<SharedPart[]>([]);
	const [lifetime, setLifetime] = useState<Lifetime>("7");
	const create = useCreateShareLink(recordingId);
	const moment = formatInstant(seconds);
	const range = `${formatInstant(stretch.from)} – ${formatInstant(stretch.to)}`;
	const shown = () => {
		if (opens === "frame") return { at: seconds };
		if (opens === "clip") return stretch;
		const at = start === "stretch" ? stretch : start === "moment" ? { at: seconds } : {};
		return { ...at, include: parts };
	};
	const createLink = () => {
		if (create.isPending) return;
		const days = lifetime === "never" ? null : Number(lifetime);
		const expiresAt = days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString();
		create.mutate({ expiresAt, opens, ...shown() });
	};
	return (
		<div className="flex flex-col gap-3">
			<div className="grid gap-3 sm:grid-cols-2">
				{player === null ? null : (
					<Choice<Opens>
						label="Opens"
						value={opens}
						onChange={setOpens}
						choices={{
							page: "A page with the video",
							clip: `Only the clip ${range}`,
							frame: `Only the frame at ${moment}`,
						}}
					/>
				)}
				{opens === "page" && player !== null ? (
					<Choice<Start>
						label="Starts"
						value={start}
						onChange={setStart}
						choices={{
							failure: "Before the failure, if any",
							...(seconds > 0 ? { moment: `At ${moment}` } : {}),
							...(isChosen ? { stretch: `Repeats ${range}` } : {}),
						}}
					/>
				) : null}
				<Choice<Lifetime> label="Expires" value={lifetime} onChange={setLifetime} choices={LIFETIMES} />
			</div>
			{player === null ? null : opens === "page" ? (
				<fieldset className="flex flex-col">
					<legend className="text-sm font-medium">Also shows</legend>
					{PARTS.map(([part, name]) => (
						<label key={part} className="flex min-h-7 items-center gap-2 text-sm">
							<input
								type="checkbox"
								className="size-4 accent-(--accent)"
								checked={parts.includes(part)}
								onChange={({ target }) => setParts(changedParts(parts, part, target.checked))}
							/>
							{name}
						</label>
					))}
				</fieldset>
			) : (
				<p className="text-xs text-muted">
					{opens === "clip" && !isChosen
						? "To choose the clip, drag on the seek bar while holding Shift, then open this again."
						: "Nothing else of the recording can be seen with this link."}
				</p>
			)}
			<Button variant="primary" className="self-start" aria-disabled={create.isPending} onClick={createLink}>
				Create link
			</Button>
			{create.error ? (
				<Notice tone="danger" alert>
					{errorMessage(create.error)}
				</Notice>
			) : null}
			{create.data ? (
				<div role="status">
					<p className="mb-1 text-sm">Copy and send this link. It's shown only once.</p>
					<CodeBlock text={create.data.url} label="Copy the link" />
				</div>
			) : null}
		</div>
	);
}

const OF_TESTS: readonly SharedPart[] = ["steps", "attachments"];

/** Steps and attachments are shown with their tests. */
function changedParts(parts: readonly SharedPart[], part: SharedPart, isShown: boolean): SharedPart[] {
	const rest = parts.filter((one) => one !== part && !(part === "tests" && OF_TESTS.includes(one)));
	if (!isShown) return rest;
	return OF_TESTS.includes(part) && !rest.includes("tests") ? [...rest, "tests", part] : [...rest, part];
}

interface ChoiceProps<T extends string> {
	label: string;
	value: T;
	onChange(value: T): void;
	/** The values, and what each is called. */
	choices: { readonly [Value in T]?: string };
}

const Choice = <T extends string>({ label, value, onChange, choices }: ChoiceProps<T>) => (
	<Field label={label}>
		{(control) => (
			<select {...control} value={value} onChange={({ target }) => onChange(target.value as T)}>
				{Object.entries<string | undefined>(choices).map(([choice, name]) => (
					<option key={choice} value={choice}>
						{name}
					</option>
				))}
			</select>
		)}
	</Field>
);

/** A short description of a link's target. */
function wordsOf({ opens, at, from, to, include }: ShareLink): string {
	const stretch = from === null || to === null ? "" : ` ${formatInstant(from)} – ${formatInstant(to)}`;
	const moment = at === null ? "" : ` at ${formatInstant(at)}`;
	const parts = include.length === 0 ? "" : ` with ${include.join(", ")}`;
	return `${opens}${moment}${stretch}${parts}`;
}

function Links({ recordingId }: { recordingId: number }) {
	const links = useQuery(shareLinksQuery(recordingId));
	const revoking = useRevokeShareLink(recordingId);
	const revokeLink = (link: ShareLink) =>
		void toastOutcome(revoking.mutateAsync(link.id), {
			done: "Revoked the link.",
			failed: "Couldn't revoke the link.",
		});
	return (
		<div className="rounded-lg border border-line">
			{links.error ? <Notice tone="danger">{`Couldn't load the links. ${errorMessage(links.error)}`}</Notice> : null}
			{links.isPending ? <Skeleton className="m-4 h-3 w-1/2" /> : null}
			{links.data?.length === 0 ? (
				<p className="px-4 py-3 text-sm text-muted">No links yet. Only members can watch.</p>
			) : null}
			<ul aria-label="Links" className="divide-y divide-line">
				{links.data?.map((link) => (
					<li key={link.id} className="flex items-center justify-between gap-3 px-4 py-2">
						<p className="min-w-0 text-xs text-muted tabular-nums">
							<code className="text-ink">{link.prefix}…</code>
							{` · ${wordsOf(link)} · `}
							{`created by ${link.createdBy} `}
							<TimeAgo at={link.createdAt} />
							{" · "}
							{link.expiresAt === null ? (
								"never expires"
							) : (
								<>
									expires <ExactTime at={link.expiresAt} />
								</>
							)}
						</p>
						<Button
							size="small"
							variant="danger"
							aria-label={`Revoke the link ${link.prefix}…`}
							onClick={() => revokeLink(link)}
						>
							Revoke
						</Button>
					</li>
				))}
			</ul>
		</div>
	);
}

const keyOf = (recordingId: number) => ["share-links", recordingId] as const;
const pathOf = (recordingId: number) => `/v1/recordings/${recordingId}/links`;

const shareLinksQuery = (recordingId: number) =>
	queryOptions({
		queryKey: keyOf(recordingId),
		queryFn: ({ signal }) => everyPage<ShareLink>(pathOf(recordingId), signal),
	});

const useCreateShareLink = (recordingId: number) =>
	useChange(keyOf(recordingId), (body: Partial<CreateShareLink> & Pick<CreateShareLink, "expiresAt">) =>
		call<NewShareLink>("POST", pathOf(recordingId), { body }),
	);

const useRevokeShareLink = (recordingId: number) =>
	useChange(keyOf(recordingId), (linkId: number) => call<void>("DELETE", `${pathOf(recordingId)}/${linkId}`));
