/** The agents that a replay covers: the one that is asked for, and all below it; and those above it. */
import { invalidRequest } from '../errors.ts';
import { MAX_PAGE_SIZE } from '../ports/limits.ts';
import type { Position } from '../ports/queries.ts';
import type { PassportRecord } from '../service/passports/collections.ts';
import { ancestorsOf } from '../service/passports/parents.ts';
import { assertWanted } from '../service/shared/call-options.ts';
import type { Context } from '../service/shared/context.ts';
import { type PassportChain, passportChain } from './chains.ts';

/** The agents of a replay. */
export interface Family {
  readonly root: PassportRecord;
  /** The passports of the root and of all agents below it, by `agent_id`. */
  readonly members: ReadonlyMap<string, PassportRecord>;
  /** The passports above the root, nearest first. */
  readonly above: readonly PassportRecord[];
}

const MAX_BELOW = 1_000;

/** Finds the agents; `invalid_request` for more than 1,000 below. */
export async function findFamily(
  context: Context,
  root: PassportRecord,
  signal: AbortSignal | undefined,
): Promise<Family> {
  const members = new Map([[root.id, root]]);
  for (const parent of members.values()) {
    for await (const child of childrenOf(context, parent, signal)) {
      members.set(child.id, child);
      if (members.size > MAX_BELOW + 1) {
        const message = `A replay covers at most ${MAX_BELOW} agents below.`;
        throw invalidRequest([{ path: '/agent_id', code: 'too_many', message }]);
      }
    }
  }
  return { root, members, above: await ancestorsOf(context, root) };
}

async function* childrenOf(
  { store }: Context,
  { id, account_id }: PassportRecord,
  signal: AbortSignal | undefined,
): AsyncGenerator<PassportRecord, void> {
  const where = { account_id, parent_agent_id: id };
  for (let after: Position | undefined; ; ) {
    assertWanted(signal);
    const page = await store.list('passports', { where, limit: MAX_PAGE_SIZE, ...(after && { after }) });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < MAX_PAGE_SIZE) return;
    after = { created_at: last.created_at, id: last.id };
  }
}

/** Makes the chains of all members as they are now, with `changed` instead of the root's passport. */
export function currentChains(
  { root, members, above }: Family,
  changed: PassportRecord = root,
): ReadonlyMap<string, PassportChain> {
  const recordOf = (id: string): PassportRecord | undefined => (id === root.id ? changed : members.get(id));
  return new Map(
    [...members.keys()].map((id) => {
      const own = recordOf(id) as PassportRecord;
      const between: PassportRecord[] = [];
      let one = own;
      while (one.id !== root.id) {
        one = recordOf(one.parent_agent_id ?? '') as PassportRecord;
        between.push(one);
      }
      return [id, passportChain(own, [...between, ...above])] as const;
    }),
  );
}
