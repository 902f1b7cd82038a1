"use client";

import type { OpenedDeviceSignIn } from "@tapedeck/contract/device-sign-in.ts";
import { can, type Role, type Scope } from "@tapedeck/contract/permissions.ts";
import { useState } from "react";
import { ScopeFields } from "#components/settings/scope-fields.tsx";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { call } from "#lib/client/api.ts";
import { formatExact, isolated } from "#lib/client/format.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

const openDeviceSignIn = (userCode: string): Promise<OpenedDeviceSignIn> =>
	call("POST", "/v1/device-sign-ins/open", { body: { userCode } });

const approveDeviceSignIn = (userCode: string, scopes: readonly Scope[]): Promise<void> =>
	call("POST", "/v1/device-sign-ins/approve", { body: { userCode, scopes } });

const denyDeviceSignIn = (userCode: string): Promise<void> =>
	call("POST", "/v1/device-sign-ins/deny", { body: { userCode } });

type Step = { name: "code" } | { name: "confirm"; request: OpenedDeviceSignIn } | { name: "approved" | "denied" };

/** Confirms the code that a program shows, such as `tapedeck login`: what asks, and what it may do. */
export function DeviceSignIn(props: { code: string; organizationName: string; role: Role }) {
	const [step, setStep] = useState<Step>({ name: "code" });
	const { code, organizationName, role } = props;
	if (!can(role, "organization:manage")) {
		return (
			<SignInFrame
				title="You can't confirm this sign-in"
				intro={`It creates an API key for ${organizationName}, which only owners and admins can do. Ask one of them to create a key.`}
			>
				<a href="/jobs" className={buttonClass()}>
					Go to jobs
				</a>
			</SignInFrame>
		);
	}
	switch (step.name) {
		case "code":
			return <EnterCode code={code} onOpened={(request) => setStep({ name: "confirm", request })} />;
		case "confirm":
			return (
				<Confirm request={step.request} organizationName={organizationName} onDone={(name) => setStep({ name })} />
			);
		case "approved":
			return (
				<SignInFrame title="Signed in" intro="You can close this page and return to your terminal.">
					<p className="text-sm">
						The API key is listed under{" "}
						<a href="/settings" className="text-accent underline underline-offset-2">
							Settings
						</a>
						, where you can revoke it.
					</p>
				</SignInFrame>
			);
		case "denied":
			return (
				<SignInFrame title="Denied" intro="Nothing was signed in. You can close this page.">
					<a href="/jobs" className={buttonClass()}>
						Go to jobs
					</a>
				</SignInFrame>
			);
	}
}

function EnterCode({ code, onOpened }: { code: string; onOpened(request: OpenedDeviceSignIn): void }) {
	const form = useServerForm({ userCode: code }, async ({ userCode }) => onOpened(await openDeviceSignIn(userCode)));
	return (
		<SignInFrame title="Sign in a terminal" intro="Check that this code matches the one in your terminal.">
			<form {...form.props} className="flex flex-col gap-4">
				<FormError message={form.error} />
				<InputField
					form={form}
					name="userCode"
					label="Code"
					autoComplete="off"
					autoCapitalize="characters"
					spellCheck={false}
					placeholder="BCDF-GHJK"
				/>
				<SubmitButton form={form} variant="primary">
					Continue
				</SubmitButton>
			</form>
		</SignInFrame>
	);
}

interface ConfirmProps {
	request: OpenedDeviceSignIn;
	organizationName: string;
	onDone(how: "approved" | "denied"): void;
}

function Confirm({ request, organizationName, onDone }: ConfirmProps) {
	const { userCode, name, address, scopes, expiresAt } = request;
	const form = useServerForm<{ scopes: Scope[] }>({ scopes }, async (chosen) => {
		await approveDeviceSignIn(userCode, chosen.scopes);
		onDone("approved");
	});
	const denying = useServerForm({}, async () => {
		await denyDeviceSignIn(userCode);
		onDone("denied");
	});
	return (
		<SignInFrame title="Confirm the sign-in">
			<form {...form.props} className="flex flex-col gap-4">
				<FormError message={form.error ?? denying.error} />
				<p className="text-sm wrap-anywhere">
					<strong className="font-semibold">{isolated(name)}</strong> {address === null ? null : `at ${address} `}
					requests an API key for {isolated(organizationName)} in your name. It expires after 90 days.
				</p>
				<p className="text-sm">
					Confirm only if you started this sign-in and your terminal shows the code{" "}
					<code className="font-semibold whitespace-nowrap">{userCode}</code>.
				</p>
				<ScopeFields form={form} />
				<p className="text-xs text-muted">
					The code expires at <time dateTime={expiresAt}>{formatExact(expiresAt)}</time>.
				</p>
				<div className="flex gap-2">
					<SubmitButton form={form} variant="primary" className="flex-1">
						Confirm
					</SubmitButton>
					<Button className="flex-1" aria-disabled={denying.busy} onClick={denying.props.onSubmit}>
						Deny
					</Button>
				</div>
			</form>
		</SignInFrame>
	);
}
