/** The outcomes of the lines of an import. */

/** In the order in which they are counted. */
export const OUTCOMES = ['create', 'unchanged', 'differs', 'refused'] as const;
/** `create`: it is new. `differs`: another one exists, which stays. `refused`: it cannot be issued. */
export type Outcome = (typeof OUTCOMES)[number];

/** The outcome of one line. */
export interface Report {
  readonly line: number;
  readonly result: Outcome;
  /** Absent when the line names none. */
  readonly agent_id?: string;
  /** The fields that differ. */
  readonly fields?: readonly string[];
  /** Why it is refused. */
  readonly reason?: string;
}

/** The number of lines of each outcome. */
export type Counts = Readonly<Record<Outcome, number>>;

/** Counts the outcomes of the lines. */
export function countsOf(reports: readonly Report[]): Counts {
  const counts = { create: 0, unchanged: 0, differs: 0, refused: 0 };
  for (const { result } of reports) counts[result] += 1;
  return counts;
}

/** Returns the report as text. */
export function reportText({ line, result, agent_id, fields = [], reason }: Report): string {
  const facts = [
    ...(agent_id === undefined ? [] : [agent_id]),
    ...(fields.length === 0 ? [] : [`in ${fields.join(', ')}`]),
    ...(reason === undefined ? [] : [`line ${line}: ${reason}`]),
  ];
  return `${result.padEnd(9)}  ${facts.join(' ')}`;
}
