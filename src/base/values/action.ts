const ACTION = /^[A-Za-z0-9][\w.:/-]{0,127}$/;
const STAR = /[.:]\*$/;

export interface ActionSet {
  readonly exact: readonly string[];
  /** The patterns without their star. `*` alone becomes `''`. */
  readonly patterns: readonly string[] | undefined;
}

export function isAction(text: string): boolean {
  return ACTION.test(text);
}

/** Says whether the text is a pattern of actions: `*`, or the start of an action up to `.` or `:`, then `*`. */
export function isActionPattern(text: string): boolean {
  return text.endsWith('*') && isActionEntry(text);
}

export function isActionEntry(text: string): boolean {
  // Two characters that an action may end in replace the end of a pattern, so that its length is checked as well.
  return text === '*' || isAction(text.replace(STAR, '::'));
}

/**
 * Returns a function that says whether an entry is within all lists. That is true if each list covers every action that
 * the entry covers. All entries must satisfy `isActionEntry`.
 */
export function actionsWithin(lists: readonly (readonly string[])[]): (entry: string) => boolean {
  const read = lists.map((entries) => {
    const patterns = entries.filter((entry) => entry.endsWith('*')).map((pattern) => pattern.slice(0, -1));
    return { exact: new Set(entries), continues: beginnings(patterns) };
  });
  return (entry) => read.every(({ exact, continues }) => exact.has(entry) || continues(entry));
}

/** Creates a set of the entries; `undefined` if there are none. Each entry must satisfy `isActionEntry`. */
export function actionSet(entries: readonly string[]): ActionSet | undefined {
  if (entries.length === 0) return undefined;
  const patterns = entries.filter((entry) => entry.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  // A list without patterns is kept as it is: a filtered copy would reserve twice the memory.
  if (patterns.length === 0) return { exact: entries, patterns: undefined };
  return { exact: entries.filter(isAction), patterns };
}

/**
 * Says whether an entry equals the action, or is a pattern that matches the action. A text that is not an action
 * matches no entry.
 */
export function matchesAction(set: ActionSet | undefined, action: string): boolean {
  if (set === undefined) return false;
  const { exact, patterns } = set;
  if (exact.includes(action)) return true;
  if (patterns === undefined) return false;
  return patterns.some((prefix) => action.startsWith(prefix) && action !== prefix) && isAction(action);
}

/** Returns a function that says whether a text starts with one of `prefixes` and is longer than this prefix. */
export function beginnings(prefixes: readonly string[]): (text: string) => boolean {
  // INVARIANT: sorted, and no prefix starts with another. So only the last prefix that is not above a text can match
  // it.
  const shortest: string[] = [];
  for (const prefix of [...prefixes].sort()) {
    const last = shortest.at(-1);
    if (last === undefined || !prefix.startsWith(last)) shortest.push(prefix);
  }
  return (text) => {
    let low = 0;
    let high = shortest.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((shortest[middle] as string) <= text) low = middle + 1;
      else high = middle;
    }
    const prefix = shortest[low - 1];
    return prefix !== undefined && text.length > prefix.length && text.startsWith(prefix);
  };
}
