"use client";

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { AccountSession } from "@tapedeck/contract/account.ts";
import { NewPasswordField } from "#components/account/new-password-field.tsx";
import { signOutAndLeave } from "#components/account/session-changes.ts";
import { goToProvider } from "#components/account/sign-in.ts";
import { singleSignOnError } from "#components/account/single-sign-on.tsx";
import { useSession } from "#components/account/use-session.ts";
import { Button } from "#components/ui/button.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { call } from "#lib/client/api.ts";
import { everyPage } from "#lib/client/paging.ts";
import { sessionKeys } from "#lib/client/session.ts";
import { deviceOf } from "./device-name.ts";
import { NameForm } from "./name-form.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { SecondFactorSection } from "./second-factor-section.tsx";
import { Rows, Section } from "./section.tsx";

interface Props {
	/** The name of the single sign-on provider; null without one. */
	provider: string | null;
	/** The code with which connecting the provider failed. */
	ssoError: string | null;
	/** Whether passkeys can be used at the dashboard's address. */
	takesPasskeys: boolean;
}

const PATH = "/settings/account";

/** The user's own account, the same in every organization: name, ways to sign in, sessions. */
export function AccountPage({ provider, ssoError, takesPasskeys }: Props) {
	const { name, email, signInMethods } = useSession();
	const changeName = useChangeName();
	return (
		<>
			<Section title="Profile" intro={email}>
				<NameForm
					label="Your name"
					hint="Shown to other members."
					name={name}
					action="Save"
					save={async (newName) => {
						await changeName.mutateAsync(newName);
						toast.success("Name saved.");
					}}
				/>
			</Section>
			{provider === null ? null : <SingleSignOn provider={provider} ssoError={ssoError} />}
			<Section title="Password">
				{signInMethods.includes("password") ? (
					<PasswordForm />
				) : (
					<p className="text-sm text-muted">You sign in with single sign-on, so you have no password here.</p>
				)}
			</Section>
			{signInMethods.includes("password") ? <SecondFactorSection /> : null}
			{takesPasskeys && signInMethods.includes("password") ? <PasskeysSection /> : null}
			<SessionsSection />
		</>
	);
}

function SingleSignOn({ provider, ssoError }: { provider: string; ssoError: string | null }) {
	const connected = useSession().signInMethods.includes("singleSignOn");
	const connect = () =>
		void toastOutcome(goToProvider(PATH, PATH, "link-social"), { failed: `Couldn't connect ${provider}.` });
	return (
		<Section title="Sign-in">
			<FormError message={ssoError === null ? undefined : singleSignOnError(ssoError, provider)} />
			{connected ? (
				<p className="text-sm">Connected with {provider}.</p>
			) : (
				<Button onClick={connect}>Connect {provider}</Button>
			)}
		</Section>
	);
}

function PasswordForm() {
	const change = useChangePassword();
	const form = useServerForm({ currentPassword: "", newPassword: "", endOtherSessions: true }, async (body) => {
		await change.mutateAsync(body);
		toast.success("Password changed.");
		form.reset();
	});
	return (
		<form {...form.props} className="flex max-w-md flex-col items-start gap-3">
			<FormError message={form.error} />
			<InputField
				form={form}
				name="currentPassword"
				label="Current password"
				type="password"
				autoComplete="current-password"
				className="w-full"
			/>
			<NewPasswordField form={form} name="newPassword" label="New password" className="w-full" />
			<label className="flex min-h-8 items-center gap-2 text-sm">
				<input
					type="checkbox"
					defaultChecked={form.values.endOtherSessions}
					className="size-4 accent-accent"
					{...form.register("endOtherSessions")}
				/>
				Also sign out my other browsers
			</label>
			<SubmitButton form={form}>Change password</SubmitButton>
		</form>
	);
}

function SessionsSection() {
	const sessions = useQuery(sessionsQuery());
	const revokeOthers = useRevokeOtherSessions();
	const several = (sessions.data?.length ?? 0) > 1;
	return (
		<Section title="Sessions" intro="Browsers that are signed in to your account.">
			<Rows label="Sessions" list={sessions} keyOf={({ id }) => id}>
				{(session) => <SessionRow session={session} />}
			</Rows>
			<div className="mt-3 flex flex-wrap gap-2">
				<Button onClick={() => void signOutAndLeave()}>Sign out</Button>
				{several ? (
					<Button
						variant="danger"
						aria-disabled={revokeOthers.isPending}
						onClick={() =>
							toastOutcome(revokeOthers.mutateAsync(), {
								done: "Signed out everywhere else.",
								failed: "Couldn't sign out.",
							})
						}
					>
						Sign out everywhere else
					</Button>
				) : null}
			</div>
		</Section>
	);
}

function SessionRow({ session: { id, current, address, userAgent, lastSeenAt } }: { session: AccountSession }) {
	const revoke = useRevokeSession();
	const device = deviceOf(userAgent);
	return (
		<>
			<div className="min-w-0 flex-1 basis-48">
				<p className="truncate text-sm font-medium">
					{device} {current ? <span className="font-normal text-muted">(this browser)</span> : null}
				</p>
				<p className="truncate text-xs text-muted tabular-nums">
					{address === null ? null : `from ${address} · `}
					last seen <TimeAgo at={lastSeenAt} />
				</p>
			</div>
			{current ? null : (
				<Button
					size="small"
					variant="danger"
					aria-label={`Revoke session ${device}`}
					aria-disabled={revoke.isPending}
					onClick={() =>
						toastOutcome(revoke.mutateAsync(id), {
							done: "Signed out that browser.",
							failed: "Couldn't sign out.",
						})
					}
				>
					Revoke
				</Button>
			)}
		</>
	);
}

const sessionsQuery = () =>
	queryOptions({
		queryKey: sessionKeys.list,
		queryFn: ({ signal }) => everyPage<AccountSession>("/v1/me/sessions", signal),
	});

function useAccountMutation<V>(changed: readonly string[], change: (input: V) => Promise<void>) {
	const client = useQueryClient();
	return useMutation({
		mutationFn: change,
		onSettled: () => client.invalidateQueries({ queryKey: changed }),
	});
}

const useRevokeSession = () =>
	useAccountMutation(sessionKeys.list, (id: number) => call<void>("DELETE", `/v1/me/sessions/${id}`));

const useRevokeOtherSessions = () =>
	useAccountMutation<void>(sessionKeys.list, () => call<void>("DELETE", "/v1/me/sessions"));

const useChangePassword = () =>
	useAccountMutation(
		sessionKeys.list,
		(body: { currentPassword: string; newPassword: string; endOtherSessions: boolean }) =>
			call<void>("POST", "/v1/me/password", { body }),
	);

const useChangeName = () =>
	useAccountMutation(sessionKeys.me, (name: string) => call<void>("PATCH", "/v1/me", { body: { name } }));
