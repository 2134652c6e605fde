/** The milliseconds that a storage of a test may take: a machine that does other work at the same time is slow. */
export const PATIENT_MS = 30_000;
