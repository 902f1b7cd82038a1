/** Entries of a job's history that tell of its upload. Without zod: pages read them too. */

/** The upload waits for room on the dashboard's disk, or in what the organization may store (`waitsFor` of its data), */
export const UPLOAD_WAITING = "upload_waiting";
/** and goes on again. */
export const UPLOAD_GOES_ON = "upload_goes_on";
