const PAGES = [
	{ path: "/docs/guides", title: "Guides" },
	{ path: "/docs", title: "API reference" },
];

const FOR_MACHINES = [
	{ path: "/v1/openapi.json", title: "openapi.json" },
	{ path: "/llms.txt", title: "llms.txt" },
];

/** Links to the dashboard, the guides and the reference, and to their forms for programs. */
export function ReferenceHeader() {
	return (
		<nav
			aria-label="Documentation"
			className="z-20 flex flex-wrap items-center gap-x-4 border-b border-line bg-surface px-4 py-2 text-sm lg:sticky lg:top-0 lg:h-12 lg:flex-nowrap lg:py-0"
		>
			<a href="/" className="w-full py-1 font-semibold text-ink hover:underline lg:w-auto lg:pe-2">
				Tapedeck
			</a>
			<Links links={PAGES} />
			<span aria-hidden className="hidden flex-1 lg:block" />
			<Links links={FOR_MACHINES} />
		</nav>
	);
}

const Links = ({ links }: { links: typeof PAGES }) =>
	links.map(({ path, title }) => (
		<a key={path} href={path} className="py-1 whitespace-nowrap text-muted hover:text-ink hover:underline">
			{title}
		</a>
	));
