/** What four eyes demand, written a second time: no code of the service, one row a rule. */

/** The rules, each of which the histories must be able to miss. */
export type RuleName =
  | 'count'
  | 'stored count'
  | 'present count'
  | 'different people'
  | 'asker by another'
  | 'asking key by another'
  | 'widener by another'
  | 'stored by'
  | 'present by'
  | 'role'
  | 'removed'
  | 'rejected'
  | 'used once'
  | 'change asker'
  | 'change applier'
  | 'change widener'
  | 'change authors'
  | 'change version'
  | 'change people'
  | 'changes off'
  | 'widener of a change is its asker'
  | 'narrowing keeps the widener';

export interface Terms {
  readonly limit: number;
  readonly count: number;
  readonly another: boolean;
  readonly changes: boolean;
}
export interface PersonNow {
  role: string;
  removed: boolean;
}
export interface Asked {
  readonly id: string;
  readonly kind: 'intent' | 'change';
  readonly amount: number;
  readonly terms: Terms;
  readonly version: number;
  readonly needed: number;
  readonly another: boolean;
  readonly asker: string;
  readonly decisions: string[];
  state: 'open' | 'rejected' | 'used';
}
export interface World {
  readonly people: Map<string, PersonNow>;
  readonly approvals: Asked[];
  terms: Terms;
  version: number;
  widener: string;
  /** Who changed the passport since people approved it, or it was widened. */
  authors: string[];
}

/** Says whether a change lets more happen: one part that does is enough. */
export function isWider(before: Terms, after: Terms): boolean {
  const weaker = after.count < before.count || (before.another && !after.another);
  return after.limit > before.limit || weaker || (before.changes && !after.changes);
}

/** Returns the people whose approvals do not count: of who asked, of `user`, who uses it now, and of the widener. */
export function barredFrom(
  world: World,
  asked: Asked,
  user?: string,
  without?: RuleName,
): ReadonlySet<string> {
  const on = (rule: RuleName): boolean => rule !== without;
  const isChange = asked.kind === 'change';
  const another = (asked.another && on('stored by')) || (world.terms.another && on('present by'));
  const barred = new Set<string>();
  if (isChange ? on('change asker') : another && on('asker by another')) barred.add(asked.asker);
  const isUserBarred = isChange ? on('change applier') : another && on('asking key by another');
  if (user !== undefined && isUserBarred) barred.add(user);
  if (another && on(isChange ? 'change widener' : 'widener by another')) barred.add(world.widener);
  if (isChange && on('change authors')) for (const author of world.authors) barred.add(author);
  return barred;
}

/** Says whether enough people stand behind the use of an approval by `user`: the maker of a key, or who applies. */
export function isCovered(world: World, asked: Asked, user: string, without?: RuleName): boolean {
  const on = (rule: RuleName): boolean => rule !== without;
  if (asked.state === 'rejected' && on('rejected')) return false;
  if (asked.state === 'used' && on('used once')) return false;
  const isChange = asked.kind === 'change';
  if (isChange && asked.version !== world.version && on('change version')) return false;
  if (isChange && !on('change people')) return true;
  const barred = barredFrom(world, asked, user, without);
  const counting = asked.decisions.filter((person) => {
    const { role, removed } = world.people.get(person) ?? { role: '', removed: true };
    const mayDecide = ['approver', 'admin', 'owner'].includes(role) || !on('role');
    return mayDecide && !(removed && on('removed')) && !barred.has(person);
  });
  const given = on('different people') ? new Set(counting).size : counting.length;
  const needed = Math.max(on('stored count') ? asked.needed : 1, on('present count') ? world.terms.count : 1);
  return given >= (on('count') ? needed : 1);
}
