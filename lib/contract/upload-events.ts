/** Entries of a job's history that tell of its upload. Without zod: pages read them too. */

/** The upload waits for room on the dashboard's disk, */
export const UPLOAD_WAITING = "upload_waiting";
/** and goes on again. */
export const UPLOAD_GOES_ON = "upload_goes_on";
