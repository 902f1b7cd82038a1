/** The version of this copy of Tapedeck, dashboard and runner alike; package.json says the same. */
export const VERSION = "0.1.0";
