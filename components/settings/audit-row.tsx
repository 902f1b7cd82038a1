"use client";

import { formatExact } from "#lib/client/format.ts";
import type { AuditEntry } from "#lib/contract/audit.ts";
import { AUDIT_WORDS, auditTexts as texts } from "#lib/texts/audit.ts";

/** A filter that was chosen in a row, and what it is called. */
export interface Chosen {
	filter: "actor" | "target";
	value: string;
	words: string;
}

const referenceOf = ({ kind, id }: { kind: string; id: number | null }) => (id === null ? kind : `${kind}:${id}`);

/** One entry; the names in it narrow the list to whom or what they name. */
export function AuditRow({ entry, onChoose }: { entry: AuditEntry; onChoose(chosen: Chosen): void }) {
	const { actor, target, action, at, address, detail } = entry;
	const name = "rounded-sm text-start font-medium hover:underline";
	const who = actor.kind === "visitor" ? texts.someone : actor.name;
	const details = Object.entries(detail)
		.filter(([, value]) => value !== null)
		.map(([key, value]) => `${key}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`);
	return (
		<li className="flex flex-col gap-0.5 px-4 py-2 text-sm sm:flex-row sm:items-baseline sm:justify-between sm:gap-4">
			<div className="min-w-0">
				<p className="break-words">
					<button
						type="button"
						className={name}
						title={texts.onlyBy(who)}
						onClick={() => onChoose({ filter: "actor", value: referenceOf(actor), words: texts.chosenActor(who) })}
					>
						{who}
					</button>{" "}
					{AUDIT_WORDS[action]}
					{target?.name == null ? null : (
						<>
							{": "}
							<button
								type="button"
								className={name}
								title={texts.onlyOn(target.name)}
								onClick={() =>
									onChoose({
										filter: "target",
										value: referenceOf(target),
										words: texts.chosenTarget(target.name ?? ""),
									})
								}
							>
								{target.name}
							</button>
						</>
					)}
				</p>
				{details.length === 0 ? null : <p className="text-xs break-words text-muted">{details.join(" · ")}</p>}
			</div>
			<p className="shrink-0 text-xs text-muted tabular-nums">
				<time dateTime={at}>{formatExact(at)}</time>
				{address === null ? null : ` · ${address}`}
			</p>
		</li>
	);
}
