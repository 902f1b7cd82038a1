/** Served as they are in the repository (public/docs). */
const GUIDES = [
	{ path: "/docs/api.md", title: "API" },
	{ path: "/docs/cli.md", title: "CLI" },
	{ path: "/docs/clients.md", title: "Clients" },
	{ path: "/docs/ci.md", title: "CI" },
	{ path: "/docs/finding.md", title: "Finding tests" },
	{ path: "/docs/runner.md", title: "Runners" },
	{ path: "/docs/selenium.md", title: "Selenium" },
	{ path: "/docs/video-quality.md", title: "Video quality" },
	{ path: "/docs/compare.md", title: "Compared" },
	{ path: "/docs/operating.md", title: "Operating" },
	{ path: "/docs/security.md", title: "Security" },
];

const FOR_MACHINES = [
	{ path: "/v1/openapi.json", title: "openapi.json" },
	{ path: "/llms.txt", title: "llms.txt" },
];

/** Leads from the reference to the dashboard, to the guides, and to the same for machines. */
export function ReferenceHeader() {
	return (
		<nav
			aria-label="Documentation"
			className="z-20 flex flex-wrap items-center gap-x-4 border-b border-line bg-surface px-4 py-2 text-sm lg:sticky lg:top-0 lg:h-12 lg:flex-nowrap lg:py-0"
		>
			<a href="/" className="w-full py-1 font-semibold text-ink hover:underline lg:w-auto lg:pe-2">
				Tapedeck
			</a>
			<Links links={GUIDES} />
			<span aria-hidden className="hidden flex-1 lg:block" />
			<Links links={FOR_MACHINES} />
		</nav>
	);
}

const Links = ({ links }: { links: typeof GUIDES }) =>
	links.map(({ path, title }) => (
		<a key={path} href={path} className="py-1 whitespace-nowrap text-muted hover:text-ink hover:underline">
			{title}
		</a>
	));
