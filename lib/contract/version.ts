/** The version of this copy of Tapedeck, dashboard and runner alike; the same as in package.json. */
export const VERSION = "0.1.0";
