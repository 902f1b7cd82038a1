import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";

export const metadata: Metadata = {
	title: { template: `%s · Tapedeck`, default: "Tapedeck" },
	description: "Record the displays of your machines, and watch the videos.",
	robots: { index: false, follow: false },
};

export const viewport: Viewport = {
	themeColor: [
		{ media: "(prefers-color-scheme: light)", color: "#fafafa" },
		{ media: "(prefers-color-scheme: dark)", color: "#0e0f11" },
	],
	colorScheme: "light dark",
};

export default async function RootLayout({ children }: { children: ReactNode }) {
	// Renders every page per request: its scripts need the request's nonce (Content-Security-Policy).
	await connection();
	return (
		<html lang="en">
			<body>{children}</body>
		</html>
	);
}
