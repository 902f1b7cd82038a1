"use client";

import { useEffect, useState } from "react";
import { buttonClass } from "#components/ui/button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { wordsOf } from "#lib/client/api.ts";
import { openInvitation } from "#lib/client/members.ts";
import type { OpenedInvitation } from "#lib/contract/member.ts";
import { sessionTexts as texts } from "#lib/texts/session.ts";
import { FrontDoor } from "./sign-in-frame.tsx";
import { JoinForms, type SignedIn } from "./join-forms.tsx";
import { useLinkAnew } from "./use-link-anew.ts";

/** Keeps the link's token while the browser is away at the provider of single sign-on. */
const KEPT = "tapedeck-invitation";

type Opened =
	| { state: "opening" }
	| { state: "refused"; why: string }
	| { state: "read"; token: string; is: OpenedInvitation };

function useInvitation(): Opened {
	const [opened, setOpened] = useState<Opened>({ state: "opening" });
	useLinkAnew();
	useEffect(() => {
		const token = location.hash.slice(1) || sessionStorage.getItem(KEPT) || "";
		if (token === "") return setOpened({ state: "refused", why: texts.noLink });
		sessionStorage.setItem(KEPT, token);
		openInvitation(token).then(
			(is) => setOpened({ state: "read", token, is }),
			(error) => setOpened({ state: "refused", why: wordsOf(error) }),
		);
	}, []);
	return opened;
}

/** What a link that invites shows: what it is worth, and the ways in. */
export function Invitation({ signedIn, provider }: { signedIn: SignedIn | null; provider: string | null }) {
	const opened = useInvitation();
	if (opened.state === "opening") {
		return (
			<FrontDoor title={texts.openingInvitation} intro="">
				<Skeleton className="h-8 w-full" />
			</FrontDoor>
		);
	}
	if (opened.state === "refused") return <Over why={opened.why} />;
	const { token, is } = opened;
	if (is.state !== "open") return <Over why={texts.invitationStates[is.state]} />;
	return (
		<FrontDoor title={texts.inviteTitle(is.organizationName)} intro={texts.inviteIntro(is.role)}>
			<JoinForms
				token={token}
				email={is.email}
				signedIn={signedIn}
				provider={provider}
				onJoined={() => {
					sessionStorage.removeItem(KEPT);
					location.assign("/jobs");
				}}
			/>
		</FrontDoor>
	);
}

function Over({ why }: { why: string }) {
	return (
		<FrontDoor title={texts.invitationOver} intro={why}>
			<a href="/login" className={buttonClass()}>
				{texts.toSignIn}
			</a>
		</FrontDoor>
	);
}
