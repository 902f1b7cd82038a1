"use client";

import type { OpenedInvitation } from "@tapedeck/contract/member.ts";
import { useEffect, useState } from "react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { FormError, InputField, leaveFor, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { errorMessage } from "#lib/client/api.ts";
import { isolated, withArticle } from "#lib/client/format.ts";
import { acceptInvitation, openInvitation } from "#lib/client/members.ts";
import { signOut } from "#lib/client/session.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { signIn, signUp } from "./sign-in.ts";
import { SignInFields } from "./sign-in-form.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";
import { SingleSignOnButton } from "./single-sign-on.tsx";
import { useLinkToken } from "./use-link-token.ts";

/** Keeps the link's token while the browser is at the single sign-on provider. */
const STORAGE_KEY = "tapedeck-invitation";

const INCOMPLETE = "This link is incomplete. Copy the whole link, or ask for a new one.";
const WHY_CLOSED = {
	accepted: "This invitation has already been used. If that was you, sign in. Otherwise ask for a new one.",
	revoked: "This invitation was revoked. Ask an admin of the organization for a new one.",
	expired: "This invitation has expired. Ask an admin of the organization for a new one.",
} satisfies Record<Exclude<OpenedInvitation["state"], "open">, string>;

interface Account {
	name: string;
	email: string;
}

type Opened =
	| { state: "opening" }
	| { state: "refused"; why: string }
	| { state: "read"; token: string; invitation: OpenedInvitation };

function useInvitation(): Opened {
	const [opened, setOpened] = useState<Opened>({ state: "opening" });
	const linkToken = useLinkToken();
	useEffect(() => {
		if (linkToken === null) return;
		const token = linkToken || sessionStorage.getItem(STORAGE_KEY) || "";
		if (token === "") return setOpened({ state: "refused", why: INCOMPLETE });
		sessionStorage.setItem(STORAGE_KEY, token);
		openInvitation(token).then(
			(invitation) => setOpened({ state: "read", token, invitation }),
			(error) => setOpened({ state: "refused", why: errorMessage(error) }),
		);
	}, [linkToken]);
	return opened;
}

/** The page behind an invitation link: what it is for, and the ways to join. */
export function Invitation({ signedIn, provider }: { signedIn: Account | null; provider: string | null }) {
	const opened = useInvitation();
	const [hasAccount, setHasAccount] = useState(false);
	if (opened.state === "opening") {
		return (
			<SignInFrame title="Opening the invitation…">
				<Skeleton className="h-8 w-full" />
			</SignInFrame>
		);
	}
	if (opened.state === "refused") return <Closed why={opened.why} />;
	const { token, invitation } = opened;
	if (invitation.state !== "open") return <Closed why={WHY_CLOSED[invitation.state]} />;
	const join = { token, email: invitation.email };
	return (
		<SignInFrame
			title={`Join ${invitation.organizationName}`}
			intro={`You've been invited as ${withArticle(invitation.role)}.`}
		>
			{signedIn === null ? (
				<>
					{hasAccount ? <SignInAndJoin {...join} /> : <CreateAccount {...join} />}
					<Button variant="ghost" className="mt-3 w-full" onClick={() => setHasAccount(!hasAccount)}>
						{hasAccount ? "I don't have an account" : "I have an account"}
					</Button>
					{provider === null ? null : <SingleSignOnButton provider={provider} next="/invite" />}
				</>
			) : (
				<JoinAs signedIn={signedIn} {...join} />
			)}
		</SignInFrame>
	);
}

function Closed({ why }: { why: string }) {
	return (
		<SignInFrame title="You can't use this invitation" intro={why}>
			<a href="/login" className={buttonClass()}>
				Go to sign-in
			</a>
		</SignInFrame>
	);
}

interface JoinProps {
	token: string;
	/** The only email that can use the link; null for any. */
	email: string | null;
}

function goToJobs(): Promise<never> {
	sessionStorage.removeItem(STORAGE_KEY);
	return leaveFor("/jobs");
}

function JoinAs({ signedIn, token }: JoinProps & { signedIn: Account }) {
	const form = useServerForm({}, async () => {
		await acceptInvitation(token);
		await goToJobs();
	});
	const switchAccount = async () => {
		await signOut();
		location.reload();
	};
	return (
		<form {...form.props} className="flex flex-col gap-4">
			<FormError message={form.error} />
			<p className="text-sm">
				You're signed in as {isolated(signedIn.name)} ({signedIn.email}).
			</p>
			<SubmitButton form={form} variant="primary">
				{form.busy ? "Joining…" : "Join"}
			</SubmitButton>
			<Button variant="ghost" onClick={() => void switchAccount()}>
				Use another account
			</Button>
		</form>
	);
}

function SignInAndJoin({ token, email: invited }: JoinProps) {
	const [needsCode, setNeedsCode] = useState(false);
	const [failed, setFailed] = useState<string>();
	const join = async () => {
		await acceptInvitation(token);
		await goToJobs();
	};
	const form = useServerForm({ email: invited ?? "", password: "" }, async ({ email, password }) => {
		if (await signIn(email, password)) setNeedsCode(true);
		else await join();
	});
	if (needsCode) {
		const startAgain = (why: string) => {
			setFailed(why);
			setNeedsCode(false);
		};
		return <SecondFactorForm signedIn={join} startAgain={startAgain} />;
	}
	return (
		<form {...form.props} className="flex flex-col gap-4">
			<FormError message={form.error ?? failed} />
			<SignInFields form={form} />
			<SubmitButton form={form} variant="primary">
				{form.busy ? "Joining…" : "Sign in and join"}
			</SubmitButton>
		</form>
	);
}

function CreateAccount({ token, email }: JoinProps) {
	const form = useServerForm({ name: "", email: email ?? "", password: "" }, async (account) => {
		await signUp({ token, ...account });
		await goToJobs();
	});
	return (
		<form {...form.props} className="flex flex-col gap-4">
			<FormError message={form.error} />
			<InputField form={form} name="name" label="Your name" autoComplete="name" />
			<InputField
				form={form}
				name="email"
				label="Email"
				type="email"
				autoComplete="username"
				readOnly={email !== null}
			/>
			<NewPasswordField form={form} name="password" label="Password" />
			<SubmitButton form={form} variant="primary">
				{form.busy ? "Creating account…" : "Create account and join"}
			</SubmitButton>
		</form>
	);
}
