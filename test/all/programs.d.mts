export interface Program {
  /** The script and its arguments. */
  readonly command: readonly [script: string, ...args: string[]];
  readonly seconds: number;
}

/** The programs by name. */
export const PROGRAMS: Readonly<Record<string, Program>>;
/** The names of the programs of each part. */
export const PARTS: readonly (readonly string[])[];
