import { beginnings } from './beginnings.ts';

const ACTION = /^[A-Za-z0-9][\w.:/-]{0,127}$/;
const STAR = /[.:]\*$/;

/** Entries of a passport's list of actions, made ready for look-ups. */
export interface ActionSet {
  readonly exact: readonly string[];
  /** The patterns without their star: nothing is left of `*` alone. */
  readonly patterns: readonly string[] | undefined;
}

/** Whether the text is an action: `[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}`. */
export function isAction(text: string): boolean {
  return ACTION.test(text);
}

/** Whether the text is a pattern of actions: `*`, or a beginning of actions up to `.` or `:`, then `*`. */
export function isActionPattern(text: string): boolean {
  return text.endsWith('*') && isActionEntry(text);
}

/** Whether the text may stand in `allowed_actions`, `denied_actions` or `monetary_actions`. */
export function isActionEntry(text: string): boolean {
  // In place of its end a pattern has two characters that an action may end in.
  return text === '*' || isAction(text.replace(STAR, '::'));
}

/** Says of an entry whether each of the lists names every action that it names. All satisfy `isActionEntry`. */
export function actionsWithin(lists: readonly (readonly string[])[]): (entry: string) => boolean {
  const read = lists.map((entries) => {
    const patterns = entries.filter((entry) => entry.endsWith('*')).map((pattern) => pattern.slice(0, -1));
    return { exact: new Set(entries), continues: beginnings(patterns) };
  });
  return (entry) => read.every(({ exact, continues }) => exact.has(entry) || continues(entry));
}

/** The entries as a set, or `undefined` when there are none; each must satisfy `isActionEntry`. */
export function actionSet(entries: readonly string[]): ActionSet | undefined {
  if (entries.length === 0) return undefined;
  const patterns = entries.filter((entry) => entry.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  // Most lists are kept as they are: one that was filtered holds room for twice as many.
  if (patterns.length === 0) return { exact: entries, patterns: undefined };
  return { exact: entries.filter(isAction), patterns };
}

/** Whether an entry names the action, or is a pattern that it continues. Text that is not an action matches nothing. */
export function matchesAction(set: ActionSet | undefined, action: string): boolean {
  if (set === undefined) return false;
  const { exact, patterns } = set;
  if (exact.includes(action)) return true;
  if (patterns === undefined) return false;
  return patterns.some((prefix) => action.startsWith(prefix) && action !== prefix) && isAction(action);
}
