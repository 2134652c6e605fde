/** Random histories of people, passports and approvals. The oracle evaluates each step. */

import type { WholeService } from '../../../../src/capabilities.ts';
import { IdentityError } from '../../../../src/index.ts';
import type { HostActor } from '../../../../src/people/host-accounts.ts';
import { createRandom } from '../../../support/random.ts';
import {
  type Asked,
  barredFrom,
  isCovered,
  isWider,
  type RuleName,
  type Terms,
  type World,
} from './oracle.ts';

const NAMES = ['ann', 'ben', 'cleo', 'dan'];
const ROLES = ['owner', 'approver', 'admin', 'editor', 'viewer'] as const;
const AMOUNTS = [150, 200];
const STEPS = 60;

/** A difference between the service and the oracle; `undefined` where they agree to the end. */
export type Difference = string | undefined;

/** Plays one history, and returns the first difference from the oracle without the rule `without`. */
export async function play(service: WholeService, seed: number, without?: RuleName): Promise<Difference> {
  const random = createRandom(seed);
  const one = <Value>(from: readonly Value[]): Value => from[Math.floor(random() * from.length)] as Value;
  const chance = (share: number): boolean => random() < share;
  const account = `org-${seed}`;
  const actors = new Map<string, HostActor>();
  for (const [place, name] of NAMES.entries()) {
    const role = place === 0 ? 'owner' : one(ROLES);
    actors.set(name, await service.actorOf({ account, member: name, role }));
  }
  const actorOf = (name: string): HostActor => actors.get(name) as HostActor;
  const drawTerms = (): Terms => ({
    ...{ limit: one([300, 400]), count: one([1, 2, 2, 3]), another: chance(0.5), changes: chance(0.5) },
  });
  const first = drawTerms();
  const creator = one(NAMES);
  const { agent_id } = await service.passports.create(inputOf(account, first), actorOf(creator));
  const world: World = {
    ...{ people: new Map(), approvals: [], terms: first, version: 1, widener: creator },
    authors: [],
  };
  for (const name of NAMES)
    world.people.set(name, { role: await roleOf(service, actorOf(name)), removed: false });
  const keys = await Promise.all(
    NAMES.map(async (name) => ({ maker: name, made: await service.keys.create({ name }, actorOf(name)) })),
  );

  /** Applies a patch with or without an approval, and says where the service and the oracle differ. */
  async function change(person: string, terms: Terms, named: Asked | undefined): Promise<Difference> {
    const before = world.terms;
    const isFree = !(before.changes || without === 'changes off') || !isWider(before, terms);
    const options = { ...actorOf(person), ...(named && { approvalId: named.id }) };
    const result = await outcome(service.passports.update(agent_id, patchOf(before, terms), options));
    const isSame = JSON.stringify(before) === JSON.stringify(terms);
    const isOfChange = named?.kind === 'change' && JSON.stringify(named.terms) === JSON.stringify(terms);
    const isPassing = isFree || (isOfChange && isCovered(world, named, person, without));
    if (!isSame && (result.code === undefined) !== isPassing)
      return `change by ${person} to ${JSON.stringify(terms)}: ${result.code}, expected ${isPassing}`;
    if (result.code === undefined && !isSame) {
      const widens = isWider(before, terms);
      const author =
        isFree || without === 'widener of a change is its asker' ? person : (named?.asker ?? person);
      if (widens || without === 'narrowing keeps the widener') world.widener = author;
      if (!isFree && named) named.state = 'used';
      world.authors = widens ? [] : [...world.authors, person];
      world.terms = terms;
      world.version += 1;
    }
    const id = result.details?.['approval_id'];
    if (named === undefined && typeof id === 'string') remember(id, person, 'change', 0, terms);
    return undefined;
  }

  function remember(id: string, asker: string, kind: Asked['kind'], amount: number, terms: Terms): void {
    if (world.approvals.some((known) => known.id === id)) return;
    const { count: needed, another } = world.terms;
    const { version } = world;
    const made = { id, kind, amount, terms, version, needed, another, asker, decisions: [] };
    world.approvals.push({ ...made, state: 'open' });
  }

  async function ask(named: Asked | undefined): Promise<Difference> {
    const key = one(keys);
    const user = key.maker;
    const amount = named && chance(0.9) ? named.amount : one(AMOUNTS);
    const intent = {
      ...{ agent_id, action: 'pay', parameters: { amount, currency: 'EUR' } },
      ...(named && { approval_id: named.id }),
    };
    const { verdict, reasons } = await service.verifyAs(key.made.key, intent);
    const isOfIntent = named?.kind === 'intent' && named.amount === amount;
    const isPassing = isOfIntent && isCovered(world, named, user, without);
    if ((verdict === 'ALLOW') !== isPassing)
      return `use by a key of ${user}: ${verdict} ${reasons[0]?.code}, expected ${isPassing}`;
    if (verdict === 'ALLOW' && named) named.state = 'used';
    const id = reasons[0]?.['approval_id'];
    if (named === undefined && typeof id === 'string') remember(id, user, 'intent', amount, world.terms);
    return undefined;
  }

  async function decide(person: string, asked: Asked): Promise<Difference> {
    const method = chance(0.08) ? 'reject' : 'approve';
    const result = await outcome(service.approvals[method](asked.id, {}, actorOf(person)));
    const isNew = method === 'approve' && asked.state === 'open' && !asked.decisions.includes(person);
    const isBarred = isNew && barredFrom(world, asked, undefined, without).has(person);
    if ((result.code === 'second_person_required') !== isBarred)
      return `decision by ${person}: ${result.code}, expected ${isBarred ? 'barred' : 'none'}`;
    if (result.code !== undefined) return undefined;
    if (method === 'reject') asked.state = 'rejected';
    else if (asked.state === 'open') asked.decisions.push(person);
    return undefined;
  }

  async function step(): Promise<Difference> {
    const person = one(NAMES);
    const asked = world.approvals.length === 0 ? undefined : one(world.approvals.slice(-4));
    const dice = random();
    const isThere = world.people.get(person)?.removed === false;
    if (dice < 0.15) return ask(undefined);
    if (dice < 0.4) return asked && ask(asked);
    if (dice < 0.72) return asked && isThere ? decide(person, asked) : undefined;
    if (dice < 0.8) return change(person, { ...world.terms, ...oneOf(one, drawTerms()) }, undefined);
    if (dice < 0.92) return asked?.kind === 'change' ? change(person, asked.terms, asked) : undefined;
    if (dice < 0.96) {
      const known = world.people.get(person);
      const role = one(ROLES);
      const set = await outcome(service.members.update(actorOf(person).member_id, { role }, actorOf('ann')));
      if (known && set.code === undefined) known.role = role;
      return undefined;
    }
    if (dice < 0.98) {
      const key = one(keys);
      const made = await outcome(service.keys.rotate(key.made.id, {}, actorOf(person)));
      const value = made.value as (typeof key)['made'] | undefined;
      if (value) Object.assign(key, { maker: person, made: value });
      return undefined;
    }
    const gone = await outcome(service.members.remove(actorOf(person).member_id, {}, actorOf('ann')));
    const known = world.people.get(person);
    if (known && gone.code === undefined) known.removed = true;
    return undefined;
  }

  for (let place = 0; place < STEPS; place += 1) {
    const difference = await step();
    if (difference !== undefined) return `history ${seed}, step ${place}: ${difference}`;
  }
  return undefined;
}

/** Returns one part of the terms, or two: a widening may hide behind a narrowing. */
function oneOf(one: <Value>(from: readonly Value[]) => Value, terms: Terms): Partial<Terms> {
  const { limit, count, another, changes } = terms;
  return one<Partial<Terms>>([
    { limit },
    { count },
    { another },
    { changes },
    { limit, changes },
    { limit, count },
  ]);
}

function inputOf(account: string, terms: Terms) {
  return {
    ...{ domain: `${account}.example`, agent_name: 'till', currency: 'EUR' },
    ...{ allowed_actions: ['pay'], monetary_actions: ['pay'] },
    ...patchOf(undefined, terms),
  };
}

function patchOf(before: Terms | undefined, { limit, count, another, changes }: Terms) {
  const by = another ? ('another' as const) : ('anyone' as const);
  const rule = { ...(before === undefined && { above: 100 }), count, by, changes };
  return { monetary_limit_per_txn: limit, approval: rule };
}

async function roleOf(service: WholeService, actor: HostActor): Promise<string> {
  const { data } = await service.members.list({}, actor);
  return data.find(({ id }) => id === actor.member_id)?.role ?? '';
}

interface Outcome {
  readonly code: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly value?: unknown;
}

async function outcome(call: Promise<unknown>): Promise<Outcome> {
  try {
    return { code: undefined, value: await call };
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return { code: error.code, details: error.details };
  }
}
