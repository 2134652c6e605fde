/** A piece of an export. */

/** One record as it is written. */
export interface ExportRecord {
  readonly id: string;
  /** `evaluated_at` */
  readonly at: string;
  /** With the end of the line. */
  readonly line: string;
}

/** Some records of an export; those of an export come newest first. */
export interface ExportPiece {
  /** The text before all records. */
  readonly head?: string;
  readonly records: readonly ExportRecord[];
}
