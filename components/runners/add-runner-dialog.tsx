"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, Plus } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { DialogContent, DialogHead, DialogRoot, DialogTrigger } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ApiError, wordsOf } from "#lib/client/api.ts";
import { useCreateRunnerToken } from "#lib/client/credentials.ts";
import { shellQuoted } from "#lib/client/curl.ts";
import { runnersQuery } from "#lib/client/runners.ts";

/** The button `Add runner`: a name, then the one command to paste. */
export function AddRunnerDialog() {
	const [open, setOpen] = useState(false);
	return (
		<DialogRoot open={open} onOpenChange={setOpen}>
			<DialogTrigger asChild>
				<Button look="primary">
					<Plus aria-hidden className="size-4" />
					Add runner
				</Button>
			</DialogTrigger>
			<DialogContent>
				<DialogHead
					title="Add runner"
					description="It needs Linux with X11, ffmpeg, and a way to reach this address."
				/>
				{open ? <Steps onDone={() => setOpen(false)} /> : null}
			</DialogContent>
		</DialogRoot>
	);
}

function Steps({ onDone }: { onDone(): void }) {
	const create = useCreateRunnerToken();
	const [name, setName] = useState("");
	const fault = create.error instanceof ApiError ? create.error.faults.find((one) => one.path === "name") : undefined;

	if (create.data) return <Command secret={create.data.secret} runnerName={create.data.name} onDone={onDone} />;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (!create.isPending) create.mutate(name.trim());
	};
	return (
		<form onSubmit={submit} noValidate className="flex flex-col gap-4 p-5">
			{create.error && !fault ? (
				<Notice tone="danger" alert>
					{wordsOf(create.error)}
				</Notice>
			) : null}
			<Field label="Name" hint="Names the runner and its token, such as the machine’s name." error={fault?.message}>
				{(control) => (
					<input
						{...control}
						value={name}
						maxLength={100}
						autoComplete="off"
						placeholder="build-machine-1"
						onChange={(event) => setName(event.target.value)}
					/>
				)}
			</Field>
			<div className="flex justify-end">
				<Button type="submit" look="primary" aria-disabled={create.isPending}>
					Make the command
				</Button>
			</div>
		</form>
	);
}

function Command({ secret, runnerName, onDone }: { secret: string; runnerName: string; onDone(): void }) {
	const runners = useQuery(runnersQuery()).data;
	const known = useRef(new Set(runners?.map((runner) => runner.id)));
	const online = useRef(new Set(runners?.filter((runner) => runner.state === "online").map((runner) => runner.id)));
	const arrived = runners?.find(
		(runner) => runner.state === "online" && (!known.current.has(runner.id) || !online.current.has(runner.id)),
	);
	const command = [
		`TAPEDECK_URL=${shellQuoted(location.origin)}`,
		`TAPEDECK_TOKEN=${shellQuoted(secret)}`,
		`TAPEDECK_RUNNER_NAME=${shellQuoted(runnerName)}`,
		"npm run runner",
	].join(" ");
	return (
		<div className="flex flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
			<p className="text-sm">
				Paste this in Tapedeck’s folder on the machine with the displays. The token in it is shown only now; one token
				may serve several runners, each with a name of its own.
			</p>
			<CodeBlock text={command} label="Copy the command" />
			<p role="status" className="flex items-center gap-2 text-sm text-muted">
				{arrived ? (
					<>
						<CircleCheck aria-hidden className="size-4 text-ok" />
						<span className="text-ink">{arrived.name} is here and ready to record.</span>
					</>
				) : (
					<>
						<span aria-hidden className="motion-pulse size-2 rounded-full bg-accent" />
						Waiting for it to connect…
					</>
				)}
			</p>
			<div className="flex justify-end">
				<Button look={arrived ? "primary" : "plain"} onClick={onDone}>
					Done
				</Button>
			</div>
		</div>
	);
}
