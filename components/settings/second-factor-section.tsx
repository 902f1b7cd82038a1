"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { NewSecondFactor } from "@tapedeck/contract/account.ts";
import { useEffect, useState } from "react";
import { useSession } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { toast } from "#components/ui/toast.ts";
import { call } from "#lib/client/api.ts";
import { sessionKeys } from "#lib/client/session.ts";
import { Section } from "./section.tsx";

const PATH = "/v1/me/second-factor";

/** A code of an authenticator app that signing in by password needs: set up, confirmed, removed. */
export function SecondFactorSection() {
	const { secondFactor } = useSession();
	const [asked, setAsked] = useState(false);
	const [begun, setBegun] = useState<NewSecondFactor | null>(null);
	const client = useQueryClient();
	const changed = async (message: string) => {
		setAsked(false);
		setBegun(null);
		await Promise.all([sessionKeys.me, sessionKeys.list].map((queryKey) => client.invalidateQueries({ queryKey })));
		toast.success(message);
	};
	const send = async (password: string) => {
		if (!secondFactor) return setBegun(await call<NewSecondFactor>("POST", PATH, { body: { password } }));
		await call<void>("POST", `${PATH}/removal`, { body: { password } });
		await changed("Second factor removed.");
	};
	const intro = secondFactor
		? "Signing in with your password also needs a code of your authenticator app."
		: "Signing in with your password then also needs a code of an authenticator app.";
	return (
		<Section title="Second factor" intro={intro}>
			{begun === null && !asked ? (
				<Button variant={secondFactor ? "danger" : undefined} onClick={() => setAsked(true)}>
					{secondFactor ? "Remove second factor" : "Set up second factor"}
				</Button>
			) : null}
			{begun === null && asked ? (
				<ConfirmPassword
					action={secondFactor ? "Remove second factor" : "Continue"}
					send={send}
					cancel={() => setAsked(false)}
				/>
			) : null}
			{begun === null ? null : (
				<ConfirmCode
					begun={begun}
					cancel={() => {
						setAsked(false);
						setBegun(null);
					}}
					done={() => changed("Second factor set up. Your other browsers are signed out.")}
				/>
			)}
		</Section>
	);
}

interface ConfirmPasswordProps {
	action: string;
	send(password: string): Promise<void>;
	cancel(): void;
}

function ConfirmPassword({ action, send, cancel }: ConfirmPasswordProps) {
	const form = useServerForm({ password: "" }, ({ password }) => send(password));
	return (
		<form {...form.props} className="flex max-w-md flex-col items-start gap-3">
			<FormError message={form.error} />
			<InputField
				form={form}
				name="password"
				label="Your password"
				type="password"
				autoComplete="current-password"
				autoFocus
				className="w-full"
			/>
			<div className="flex gap-2">
				<SubmitButton form={form}>{action}</SubmitButton>
				<Button variant="ghost" onClick={cancel}>
					Cancel
				</Button>
			</div>
		</form>
	);
}

interface ConfirmCodeProps {
	begun: NewSecondFactor;
	cancel(): void;
	done(): Promise<void>;
}

/** The secret for the app, the backup codes, and the field for the app's first code. */
function ConfirmCode({ begun: { uri, backupCodes }, cancel, done }: ConfirmCodeProps) {
	const form = useServerForm({ code: "" }, async ({ code }) => {
		await call<void>("POST", `${PATH}/confirmation`, { body: { code } });
		await done();
	});
	const secret = new URL(uri).searchParams.get("secret") ?? "";
	return (
		<form {...form.props} className="flex max-w-md flex-col items-start gap-4">
			<FormError message={form.error} />
			<p className="text-sm">Scan this picture with the app, or enter the secret there.</p>
			<QrCode text={uri} />
			<div className="w-full">
				<CodeBlock text={secret} label="Copy secret" />
			</div>
			<div className="w-full">
				<p className="mb-1 text-sm">
					Keep these backup codes where you find them without the app. Each signs you in once, and they are not shown
					again.
				</p>
				<CodeBlock text={backupCodes.join("\n")} label="Copy backup codes" />
			</div>
			<InputField
				form={form}
				name="code"
				label="Code that the app shows now"
				inputMode="numeric"
				autoComplete="one-time-code"
				className="w-full"
			/>
			<div className="flex gap-2">
				<SubmitButton form={form}>Confirm</SubmitButton>
				<Button variant="ghost" onClick={cancel}>
					Cancel
				</Button>
			</div>
		</form>
	);
}

/** The encoder is loaded here: few visits of the page need it. */
function QrCode({ text }: { text: string }) {
	const [dots, setDots] = useState<boolean[][]>([]);
	useEffect(() => {
		void import("uqr").then(({ encode }) => setDots(encode(text, { border: 2 }).data));
	}, [text]);
	const path = dots.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
	return (
		<svg
			role="img"
			aria-label="QR code for the authenticator app"
			viewBox={`0 0 ${dots.length || 1} ${dots.length || 1}`}
			shapeRendering="crispEdges"
			className="size-44 rounded-md bg-white"
		>
			<path d={path} fill="black" />
		</svg>
	);
}
