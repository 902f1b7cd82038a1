"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import { actionsSteps, dockerCommand, type RunnerOrder, shellCommand } from "#lib/client/runner-commands.ts";
import { runnersQuery } from "#lib/client/runners.ts";
import { addRunnerTexts as texts } from "#lib/texts/runner-actions.ts";

const WAYS = [
	{ id: "shell", title: texts.shell },
	{ id: "docker", title: texts.docker },
	{ id: "actions", title: texts.actions },
] as const;
type Way = (typeof WAYS)[number]["id"];

/** What to paste where, with the token that is shown this once; says when the runner has come. */
export function AddRunnerCommands({ token, name, onDone }: { token: string; name: string; onDone(): void }) {
	const [way, setWay] = useState<Way>("shell");
	const arrived = useArrival();
	return (
		<div className="flex flex-col gap-4 overflow-y-auto p-5 *:shrink-0">
			<Tabs<Way> label={texts.ways} tabs={WAYS} chosen={way} onChoose={setWay}>
				<Command way={way} order={{ url: location.origin, token, name }} />
			</Tabs>
			<p role="status" className="flex items-center gap-2 text-sm text-muted">
				{arrived === undefined ? (
					<>
						<span aria-hidden className="motion-pulse size-2 rounded-full bg-accent" />
						{texts.waiting}
					</>
				) : (
					<>
						<CircleCheck aria-hidden className="size-4 text-ok" />
						<span className="text-ink">{texts.arrived(arrived)}</span>
					</>
				)}
			</p>
			<div className="flex justify-end">
				<Button look={arrived === undefined ? "plain" : "primary"} onClick={onDone}>
					{texts.done}
				</Button>
			</div>
		</div>
	);
}

function Command({ way, order }: { way: Way; order: RunnerOrder }) {
	switch (way) {
		case "shell":
			return (
				<>
					<p className="text-sm">{texts.shellHint}</p>
					<CodeBlock text={shellCommand(order)} label={texts.copyCommand} />
				</>
			);
		case "docker":
			return (
				<>
					<p className="text-sm">{texts.dockerHint}</p>
					<CodeBlock text={dockerCommand(order)} label={texts.copyCommand} />
				</>
			);
		case "actions":
			return (
				<>
					<p className="text-sm">{texts.actionsSecret}</p>
					<CodeBlock text={order.token} label={texts.copyToken} />
					<p className="text-sm">{texts.actionsHint(order.url)}</p>
					<CodeBlock text={actionsSteps(order)} label={texts.copySteps} />
				</>
			);
	}
}

/** The name of a runner that has come, or come back, since this was first shown. */
function useArrival(): string | undefined {
	const runners = useQuery(runnersQuery()).data;
	const online = useRef(new Set(runners?.filter((runner) => runner.state === "online").map((runner) => runner.id)));
	return runners?.find((runner) => runner.state === "online" && !online.current.has(runner.id))?.name;
}
