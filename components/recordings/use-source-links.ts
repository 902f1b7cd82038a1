"use client";

import { useContext } from "react";
import { SessionContext } from "#components/account/use-session.ts";
import { type SourceLinks, sourceLinks } from "./source-links.ts";

/** The addresses of what labels name, with the organization's template for hosts that are not known. */
export const useSourceLinks = (labels: Readonly<Record<string, string>>): SourceLinks =>
	sourceLinks(labels, useContext(SessionContext)?.commitUrlTemplate ?? null);
