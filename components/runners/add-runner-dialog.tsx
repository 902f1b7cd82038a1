"use client";

import { useQuery } from "@tanstack/react-query";
import type { NewRunnerToken } from "@tapedeck/contract/credential.ts";
import { CircleCheck } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { DialogContent, DialogHead, DialogRoot } from "#components/ui/dialog.tsx";
import type { DialogControl } from "#components/ui/dialog-button.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import { useCreateRunnerToken } from "#lib/client/credentials.ts";
import { isolated } from "#lib/client/format.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { actionsSteps, dockerCommand, installCommand, type RunnerInstall, shellCommand } from "./runner-commands.ts";
import { NEW_TOKEN, tokenBody } from "./token-limits.ts";
import { TokenLimitsFields } from "./token-limits-fields.tsx";

/** Creates a token for a new runner, then shows the command to paste. */
export function AddRunnerDialog({ open, onOpenChange, ...content }: DialogControl) {
	return (
		<DialogRoot open={open} onOpenChange={onOpenChange}>
			<DialogContent {...content}>
				<DialogHead
					title="Add runner"
					description="The machine needs Linux with X11, ffmpeg, and network access to this address."
				/>
				{open ? <Steps onDone={() => onOpenChange(false)} /> : null}
			</DialogContent>
		</DialogRoot>
	);
}

function Steps({ onDone }: { onDone(): void }) {
	const [token, setToken] = useState<NewRunnerToken | null>(null);
	if (token === null) return <TokenForm onCreated={setToken} />;
	return <InstallCommands token={token.secret} name={token.name} onDone={onDone} />;
}

function TokenForm({ onCreated }: { onCreated(token: NewRunnerToken): void }) {
	const create = useCreateRunnerToken();
	const form = useServerForm(NEW_TOKEN, async (values) =>
		onCreated(await create.mutateAsync(tokenBody(values, Date.now()))),
	);
	return (
		<form {...form.props} className="flex min-h-0 flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
			<FormError message={form.error} />
			<InputField
				form={form}
				name="name"
				label="Name"
				hint="Used for both the runner and its token, e.g. the host name."
				maxLength={100}
				autoComplete="off"
				placeholder="build-machine-1"
			/>
			<TokenLimitsFields form={form} />
			<div className="flex justify-end">
				<SubmitButton form={form} variant="primary">
					Generate install command
				</SubmitButton>
			</div>
		</form>
	);
}

/** The command to paste, with the token that is shown only once; says when the runner has connected. */
function InstallCommands({ token, name, onDone }: { token: string; name: string; onDone(): void }) {
	const connected = useConnectedRunner();
	const install = { url: location.origin, token, name };
	return (
		<div className="flex flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
			<Tabs
				label="Where it runs"
				tabs={[
					{ id: "install", title: "One line", content: <Install {...install} /> },
					{ id: "shell", title: "Shell", content: <Shell {...install} /> },
					{ id: "docker", title: "Docker", content: <Docker {...install} /> },
					{ id: "actions", title: "GitHub Actions", content: <Actions {...install} /> },
				]}
			/>
			<p role="status" className="flex items-center gap-2 text-sm text-muted">
				{connected === undefined ? (
					<>
						<span aria-hidden className="motion-pulse size-2 rounded-full bg-accent" />
						Waiting for it to connect…
					</>
				) : (
					<>
						<CircleCheck aria-hidden className="size-4 text-ok" />
						<span className="text-ink">{isolated(connected)} is connected and ready to record.</span>
					</>
				)}
			</p>
			<div className="flex justify-end">
				<Button variant={connected === undefined ? "secondary" : "primary"} onClick={onDone}>
					Done
				</Button>
			</div>
		</div>
	);
}

const Install = (install: RunnerInstall) => (
	<>
		<p className="text-sm">
			Run this on the machine with the displays. It installs the runner, with Node if the machine lacks it, and says how
			to start and remove it. As root, it also sets up a systemd service. The token in it is shown only once.
		</p>
		<CodeBlock text={installCommand(install)} label="Copy the command" />
	</>
);

const Shell = (install: RunnerInstall) => (
	<>
		<p className="text-sm">
			Run this in the Tapedeck folder on the machine with the displays. The token in it is shown only once. One token
			works for several runners, each with its own name.
		</p>
		<CodeBlock text={shellCommand(install)} label="Copy the command" />
	</>
);

const Docker = (install: RunnerInstall) => (
	<>
		<p className="text-sm">
			Run this in the Tapedeck folder on the machine with the displays. It builds the image there and gives the
			container access to the displays. The token in it is shown only once.
		</p>
		<CodeBlock text={dockerCommand(install)} label="Copy the command" />
	</>
);

const Actions = (install: RunnerInstall) => (
	<>
		<p className="text-sm">Save this token as the secret TAPEDECK_TOKEN of your repository. It's shown only once.</p>
		<CodeBlock text={install.token} label="Copy the token" />
		<p className="text-sm">
			Add this step before your tests, with your own copy of Tapedeck instead of YOUR-ORG/tapedeck. It starts a display
			and records it until the job ends. GitHub's machines must be able to reach {install.url}.
		</p>
		<CodeBlock text={actionsSteps(install)} label="Copy the steps" />
	</>
);

/** The name of a runner that has connected, or reconnected, since this was first shown. */
function useConnectedRunner(): string | undefined {
	const runners = useQuery(runnersQuery()).data;
	const before = useRef(new Set(runners?.filter((runner) => runner.state === "online").map((runner) => runner.id)));
	return runners?.find((runner) => runner.state === "online" && !before.current.has(runner.id))?.name;
}
