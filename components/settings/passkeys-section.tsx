"use client";

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Passkey, PasskeyOptions } from "@tapedeck/contract/account.ts";
import { useState } from "react";
import { createPasskey } from "#components/account/passkeys.ts";
import { Button } from "#components/ui/button.tsx";
import { FormError, InputField, SubmitButton, useServerForm } from "#components/ui/form.tsx";
import { TimeAgo } from "#components/ui/time.tsx";
import { toast, toastOutcome } from "#components/ui/toast.ts";
import { call } from "#lib/client/api.ts";
import { everyPage } from "#lib/client/paging.ts";
import { Rows, Section } from "./section.tsx";

const PATH = "/v1/me/passkeys";
const KEY = ["passkeys"] as const;

/** Passkeys, which sign in without password and code: added with a name, and removed. */
export function PasskeysSection() {
	const passkeys = useQuery(passkeysQuery());
	const [adding, setAdding] = useState(false);
	return (
		<Section
			title="Passkeys"
			intro="Sign in with your device's fingerprint, face or PIN instead of your password and a code."
		>
			<Rows label="Passkeys" list={passkeys} none="You have no passkeys." keyOf={({ id }) => id}>
				{(passkey) => <PasskeyRow passkey={passkey} />}
			</Rows>
			<div className="mt-3">
				{adding ? (
					<AddPasskey close={() => setAdding(false)} />
				) : (
					<Button onClick={() => setAdding(true)}>Add passkey</Button>
				)}
			</div>
		</Section>
	);
}

function PasskeyRow({ passkey: { id, name, createdAt } }: { passkey: Passkey }) {
	const client = useQueryClient();
	const remove = useMutation({
		mutationFn: () => call<void>("DELETE", `${PATH}/${id}`),
		onSettled: () => client.invalidateQueries({ queryKey: KEY }),
	});
	return (
		<>
			<div className="min-w-0 flex-1 basis-48">
				<p className="truncate text-sm font-medium">{name}</p>
				<p className="truncate text-xs text-muted tabular-nums">
					added <TimeAgo at={createdAt} />
				</p>
			</div>
			<Button
				size="small"
				variant="danger"
				aria-label={`Remove passkey ${name}`}
				aria-disabled={remove.isPending}
				onClick={() =>
					toastOutcome(remove.mutateAsync(), { done: "Passkey removed.", failed: "Couldn't remove the passkey." })
				}
			>
				Remove
			</Button>
		</>
	);
}

function AddPasskey({ close }: { close(): void }) {
	const client = useQueryClient();
	const form = useServerForm({ name: "", password: "" }, async ({ name, password }) => {
		const options = await call<PasskeyOptions>("POST", `${PATH}/options`, { body: { password } });
		const response = await createPasskey(options);
		await call<Passkey>("POST", PATH, { body: { name, response } });
		await client.invalidateQueries({ queryKey: KEY });
		toast.success("Passkey added.");
		close();
	});
	return (
		<form {...form.props} className="flex max-w-md flex-col items-start gap-3">
			<FormError message={form.error} />
			<InputField
				form={form}
				name="name"
				label="Name of the passkey"
				hint="For example the device that keeps it."
				rules={{ required: "Enter a name.", maxLength: { value: 100, message: "Use a shorter name." } }}
				autoFocus
				className="w-full"
			/>
			<InputField
				form={form}
				name="password"
				label="Your password"
				type="password"
				autoComplete="current-password"
				rules={{ required: "Enter your password." }}
				className="w-full"
			/>
			<div className="flex gap-2">
				<SubmitButton form={form}>Continue</SubmitButton>
				<Button variant="ghost" onClick={close}>
					Cancel
				</Button>
			</div>
		</form>
	);
}

const passkeysQuery = () =>
	queryOptions({
		queryKey: KEY,
		queryFn: ({ signal }) => everyPage<Passkey>(PATH, signal),
	});
