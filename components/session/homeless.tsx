"use client";

import { Button } from "#components/ui/button.tsx";
import { sessionTexts as texts } from "#lib/texts/session.ts";
import { FrontDoor } from "./sign-in-frame.tsx";
import { leave } from "./leave.ts";

/** For who is signed in and belongs to no organization, or to none any more. */
export function Homeless({ email }: { email: string }) {
	return (
		<FrontDoor title={texts.homelessTitle} intro={texts.homelessIntro(email)}>
			<Button onClick={() => void leave()}>{texts.signOut}</Button>
		</FrontDoor>
	);
}
