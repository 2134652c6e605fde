/** The script and the arguments of each program. */
export const PROGRAMS: Readonly<Record<string, readonly string[]>>;
/** The names of the programs of each part. */
export const PARTS: readonly (readonly string[])[];
