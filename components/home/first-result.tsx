"use client";

import { FlaskConical, type LucideIcon, Monitor, Upload } from "lucide-react";
import type { ReactNode } from "react";
import { useCan } from "#components/account/use-session.ts";
import { Link } from "#components/navigation/link.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/copy-button.tsx";
import { useClientValue } from "#components/ui/use-client-value.ts";

/** The ways to the first result of an organization that has none. */
export function FirstResult() {
	const mayRecord = useCan("jobs:write");
	const origin = useClientValue(() => location.origin, "");
	const server = `export TAPEDECK_URL=${origin} TAPEDECK_API_KEY=tdk_…`;
	return (
		<section aria-label="Your first result" className="flex flex-col gap-4">
			<div>
				<h2 className="text-lg font-semibold">Your first result</h2>
				<p className="text-sm text-muted">
					{mayRecord
						? "There are three ways, and you can combine them. This page then shows what fails, what records and how builds ended."
						: "Nothing has been recorded or reported yet. A member of this organization can begin in one of three ways."}
				</p>
			</div>
			<ul className="grid items-stretch gap-4 xl:grid-cols-3">
				<Way
					Icon={Monitor}
					title="Record a display"
					text="A runner on a Linux machine records its X displays: tests with a browser, a grid, or any other program."
					action={mayRecord ? { href: "/runners", name: "Connect a runner" } : null}
					more={{ href: "/docs/guides/runner", name: "About runners" }}
				>
					<p className="text-sm text-muted">
						“Add runner” shows the command that installs it, and says when it has connected. “New job” then records.
					</p>
				</Way>
				<Way
					Icon={FlaskConical}
					title="Report a test framework"
					text="Results of Playwright, pytest, JUnit and others, with their videos, screenshots and traces."
					action={mayRecord ? { href: "/settings", name: "Create an API key" } : null}
					more={{ href: "/docs/guides/client-playwright", name: "Playwright" }}
					others={[
						{ href: "/docs/guides/framework-pytest", name: "pytest" },
						{ href: "/docs/guides/framework-junit", name: "JUnit" },
						{ href: "/docs/guides/ci", name: "CI" },
					]}
				>
					<CodeBlock
						text={`${server}\nnpx playwright test --reporter=@tapedeck/playwright`}
						label="Copy the commands of Playwright"
					/>
				</Way>
				<Way
					Icon={Upload}
					title="Upload what you have"
					text="Reports of past runs become a build with its tests. A video that was made elsewhere becomes a recording."
					action={mayRecord ? { href: "/recordings", name: "Upload a video" } : null}
					more={{ href: "/docs/guides/finding#import-reports", name: "Formats of reports" }}
				>
					<CodeBlock text={`${server}\ntapedeck import reports/`} label="Copy the commands of an import" />
				</Way>
			</ul>
		</section>
	);
}

interface LinkTo {
	href: string;
	name: string;
}

interface WayProps {
	Icon: LucideIcon;
	title: string;
	text: string;
	action: LinkTo | null;
	/** A guide, and others beside it. */
	more: LinkTo;
	others?: readonly LinkTo[];
	children: ReactNode;
}

const Way = ({ Icon, title, text, action, more, others = [], children }: WayProps) => (
	<li className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4">
		<h3 className="flex items-center gap-2 text-base font-semibold">
			<Icon aria-hidden className="size-5 shrink-0 text-accent" />
			{title}
		</h3>
		<p className="text-sm">{text}</p>
		<div className="min-w-0">{children}</div>
		<div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-2 pt-1">
			{action === null ? null : (
				<Link href={action.href} className={buttonClass("primary")}>
					{action.name}
				</Link>
			)}
			{[more, ...others].map(({ href, name }) => (
				// Guides are pages without a sidebar.
				<a key={href} href={href} className="rounded-sm text-sm leading-6 text-accent underline underline-offset-2">
					{name}
				</a>
			))}
		</div>
	</li>
);
