/** Changes of each kind in a fleet, and how late after each the last ALLOW by the older state began. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Asked, type Fleet, makeKey, openAccount } from './fleet.ts';
import type { Subject } from './programs.ts';

type PassportKind = 'revoke' | 'suspend' | 'PATCH';
/** A kind of change, after which nothing of its subject is allowed. */
export type Kind = PassportKind | 'key revoked' | 'agent_ids narrowed' | 'account disabled';

export const PASSPORT_KINDS: readonly PassportKind[] = ['revoke', 'suspend', 'PATCH'];
export const KEY_KINDS: readonly Kind[] = ['key revoked', 'agent_ids narrowed', 'account disabled'];
export const KINDS: readonly Kind[] = [...PASSPORT_KINDS, ...KEY_KINDS];

/** A change that was made. */
export interface Made {
  readonly kind: Kind;
  /** The milliseconds from the acknowledgement to the beginning of the last ALLOW of any verifier; 0 if none came. */
  readonly lastMs: number;
}

/** The changes of a run. */
export interface MadeChanges {
  readonly made: readonly Made[];
  /** Lives that ended before their change, since not every verifier allowed in time, or no node took it. */
  readonly given: number;
}

interface Life extends Subject {
  /** Makes the change, and returns when it was acknowledged. */
  change(): Promise<number>;
  /** Returns what is used again. */
  end?(): void;
}

const WARM_MS = 15_000;
/** A verdict that is later than this would be noticed as well, but not how late it is. */
const WATCH_MS = 3_000;
const GIVE_UP_MS = 15_000;
const REPORTED_MS = 250;
/** One in six of the keys that change has commands of its own, each of which has to be started. */
const COMMANDS_EVERY = 6;

/**
 * Makes this number of changes, some at a time, unless `isEnough` says before that it is. A life that ends before its
 * change is replaced by another one, until as many lives as changes have ended so.
 */
export async function makeChanges(
  fleet: Fleet,
  {
    count,
    atOnce,
    random,
    kinds = KINDS,
    settleMs = 0,
    startsCommands = true,
    isEnough = () => false,
  }: {
    readonly count: number;
    readonly atOnce: number;
    readonly random: () => number;
    /** The time from the first verdicts to a change, at least. */
    readonly settleMs?: number;
    /** False: no key has commands of its own, whose start takes the machine for a second. */
    readonly startsCommands?: boolean;
    readonly kinds?: readonly Kind[];
    readonly isEnough?: (last: Made) => boolean;
  },
): Promise<MadeChanges> {
  const made: Made[] = [];
  const accounts: string[] = [];
  let given = 0;
  let left = count;
  let names = 0;
  let keyLives = 0;
  let isOver = false;
  let opening: Promise<unknown> = Promise.resolve();
  const actor = { account_id: fleet.account };
  const { agent_id: standing } = await issue('standing');
  const { agent_id: other } = await issue('other');

  async function issue(agent_name: string, account_id = fleet.account) {
    const domain = `${account_id.slice(4).toLowerCase()}.example`;
    const input = { domain, agent_name, allowed_actions: ['orders.*'], monetary_limit_per_txn: 5 };
    const { call } = fleet.node();
    return (await call<{ agent_id: string }>('passports.create', input, { account_id })).result;
  }

  async function passportLife(kind: Kind, id: string): Promise<Life> {
    const { agent_id } = await issue(id);
    const change = {
      revoke: ['revoke', { agent_id }, actor],
      suspend: ['suspend', { agent_id }, actor],
      PATCH: ['passports.update', agent_id, { allowed_actions: ['refunds.*'] }, actor],
    }[kind as PassportKind];
    return { id, agent_id, apiKey: fleet.apiKey, change: () => settled(change) };
  }

  async function settled([method, ...args]: readonly unknown[]): Promise<number> {
    return (await fleet.node().call(String(method), ...args)).at;
  }

  async function keyLife(kind: Kind, id: string): Promise<Life> {
    const { apiKey, id: keyId } = await makeKey(fleet.node(), fleet.account);
    const narrowed = ['keys.update', keyId, { agent_ids: [other] }, actor];
    const change = kind === 'key revoked' ? ['keys.revoke', keyId, actor] : narrowed;
    return { id, agent_id: standing, apiKey, change: () => settled(change) };
  }

  async function accountLife(id: string): Promise<Life> {
    const account = accounts.pop() ?? (await newAccount());
    await fleet.node().call('accounts.enable', account);
    const { agent_id } = await issue(id, account);
    const { apiKey } = await makeKey(fleet.node(), account);
    return {
      ...{ id, agent_id, apiKey, change: () => settled(['accounts.disable', account]) },
      end: () => accounts.push(account),
    };
  }

  /** One at a time: a node checks few passwords at once. */
  function newAccount(): Promise<string> {
    const opened = opening.then(() => openAccount(fleet.node()));
    opening = opened.catch(() => undefined);
    return opened;
  }

  function begin(kind: Kind, id: string): Promise<Life> {
    if (kind === 'account disabled') return accountLife(id);
    return kind.startsWith('key') || kind.startsWith('agent_ids')
      ? keyLife(kind, id)
      : passportLife(kind, id);
  }

  async function live(kind: Kind): Promise<Made | undefined> {
    names += 1;
    const isOfKey = KEY_KINDS.includes(kind);
    if (isOfKey) keyLives += 1;
    const life = await begin(kind, `a${names}`);
    const ofKey = startsCommands && keyLives % COMMANDS_EVERY === 0 ? 'new' : 'none';
    const asked = await fleet.ask(life, isOfKey ? ofKey : 'standing');
    try {
      if (!(await until(() => all(asked, ({ last }) => last > 0), WARM_MS))) return undefined;
      await sleep(settleMs + random() * 600);
      const at = await life.change();
      await sleep(WATCH_MS);
      if (!(await until(() => all(asked, ({ answered }) => answered > at + WATCH_MS / 2), GIVE_UP_MS)))
        return undefined;
      await sleep(REPORTED_MS);
      return { kind, lastMs: Math.max(0, ...asked.sights().map((sight) => (sight?.last ?? 0) - at)) };
    } finally {
      await asked.end();
      life.end?.();
    }
  }

  async function worker(): Promise<void> {
    while (left > 0 && !isOver) {
      left -= 1;
      const kind = kinds[left % kinds.length] as Kind;
      const one = await live(kind).catch((error: Error) => {
        console.info(`${kind}: ${error.message}`);
      });
      if (one !== undefined) made.push(one);
      else {
        given += 1;
        if (given <= count) left += 1;
      }
      if (one !== undefined && isEnough(one)) isOver = true;
    }
  }

  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return { made, given };
}

function all(asked: Asked, holds: (sight: { last: number; answered: number }) => boolean): boolean {
  return asked.sights().every((sight) => sight !== undefined && holds(sight));
}

async function until(holds: () => boolean, ms: number): Promise<boolean> {
  for (let waited = 0; waited < ms; waited += 25) {
    if (holds()) return true;
    await sleep(25);
  }
  return holds();
}
