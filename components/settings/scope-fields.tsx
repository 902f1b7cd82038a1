"use client";

import { useId } from "react";
import { SCOPES, type Scope } from "#lib/contract/organization.ts";
import { SCOPE_WORDS, credentialTexts as texts } from "#lib/texts/credentials.tsx";

interface Props {
	chosen: readonly Scope[];
	onChange(scopes: readonly Scope[]): void;
	error?: string;
}

/** What a key may do, one tick a scope. */
export function ScopeFields({ chosen, onChange, error }: Props) {
	const noteId = useId();
	return (
		<fieldset aria-describedby={error === undefined ? undefined : noteId}>
			<legend className="text-sm font-medium">{texts.scopes}</legend>
			<div className="mt-1 grid gap-x-4 sm:grid-cols-2">
				{SCOPES.map((scope) => (
					<label key={scope} className="flex items-center gap-1 py-0.5 text-sm">
						<input
							type="checkbox"
							className="checkbox -ms-2"
							checked={chosen.includes(scope)}
							onChange={({ target }) =>
								onChange(target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
							}
						/>
						<span className="min-w-0">
							<span className="block leading-tight">{SCOPE_WORDS[scope]}</span>
							<code className="text-xs text-muted">{scope}</code>
						</span>
					</label>
				))}
			</div>
			{error === undefined ? null : (
				<p id={noteId} role="alert" className="mt-1 text-xs text-danger">
					{error}
				</p>
			)}
		</fieldset>
	);
}
