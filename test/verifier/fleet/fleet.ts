/** Three nodes on one store, a balancer in front of them, and eight verifiers behind it, each a process of its own. */
import { randomBytes } from 'node:crypto';
import type { SurvivingStore } from '../../support/kills.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Mutant, patchOf } from './mutants.ts';
import {
  type AskedCounts,
  type Asker,
  type FleetNode,
  type Program,
  type Sight,
  type Subject,
  startAsker,
  startCommand,
  startNode,
} from './programs.ts';

const NODES = 3;
const LOCAL = 6;
const COMMANDS = 2;

/** A fleet that runs. */
export interface Fleet {
  readonly nodes: readonly FleetNode[];
  readonly balancer: Balancer;
  /** The processes that decide. */
  readonly deciding: readonly Program[];
  /** The account of the agents and keys that are changed, and a key that is not. */
  readonly account: string;
  readonly apiKey: string;
  readonly counts: () => AskedCounts;
  /** Returns a node that runs, and whose clock is right. */
  node(): FleetNode;
  /** Has verifiers asked about a subject: those in a process, and the commands or new ones for its key. */
  ask(subject: Subject, beside: 'standing' | 'new' | 'none'): Promise<Asked>;
  close(): Promise<void>;
}

/** A subject that is asked about. */
export interface Asked {
  /** The sight of each verifier; `undefined` before its first report. */
  sights(): readonly (Sight | undefined)[];
  end(): Promise<void>;
}

/** Starts a fleet. With a mutant, all processes that it is in have it. */
export async function openFleet(
  { url }: SurvivingStore,
  random: () => number,
  mutant?: Mutant,
): Promise<Fleet> {
  const patch = mutant && patchOf(mutant);
  const patchIn = (of: Mutant['of']) => (mutant?.of === of ? patch : undefined);
  // The first one makes the tables.
  const nodes = [await startNode(url, patchIn('node'))];
  const others = Array.from({ length: NODES - 1 }, () => startNode(url, patchIn('node')));
  nodes.push(...(await Promise.all(others)));
  const balancer = await startBalancer(
    nodes.map(({ port }) => port),
    random,
  );
  const { baseUrl } = balancer;
  const local = Array.from({ length: LOCAL }, () => startAsker(baseUrl, patchIn('verifier')));
  const clients = startAsker(baseUrl);
  const account = await openAccount(nodes[0]);
  const { apiKey } = await makeKey(nodes[0], account);
  const startCommands = (key: string) =>
    Promise.all(Array.from({ length: COMMANDS }, () => startCommand(baseUrl, key, patchIn('verifier'))));
  const commands = await startCommands(apiKey);
  const ownCommands = new Set<Program>();

  function node(): FleetNode {
    const free = nodes.filter(({ isAway }) => !isAway);
    return free[Math.floor(random() * free.length)] ?? node();
  }

  async function ask(subject: Subject, beside: 'standing' | 'new' | 'none'): Promise<Asked> {
    for (const asker of local) asker.begin(subject);
    const own = beside === 'new' ? await startCommands(subject.apiKey) : [];
    for (const one of own) ownCommands.add(one);
    const asked = (beside === 'standing' ? commands : own).map(({ at }, place) => ({
      at,
      // A subject has another name at each command.
      id: `${subject.id} ${place}`,
    }));
    for (const { at, id } of asked) clients.begin({ ...subject, id }, at);
    return {
      sights: () => [
        ...local.map(({ sights }) => sights.get(subject.id)),
        ...asked.map(({ id }) => clients.sights.get(id)),
      ],
      async end() {
        for (const asker of local) asker.end(subject.id);
        for (const { id } of asked) clients.end(id);
        for (const one of own) ownCommands.delete(one);
        await Promise.all(own.map((one) => one.kill()));
      },
    };
  }

  return {
    ...{ nodes, balancer, account, apiKey, node, ask, deciding: [...local, ...commands] },
    counts: () => sumOf([...local, clients]),
    async close() {
      balancer.close();
      const all = [...local, clients, ...commands, ...ownCommands, ...nodes];
      await Promise.all(all.map((one) => one.kill()));
    },
  };
}

/** Opens an account by a node, and returns its id. */
export async function openAccount(node: FleetNode | undefined): Promise<string> {
  const email = `${randomBytes(9).toString('hex')}@fleet.example`;
  const credentials = { email, password: 'Ein-Gutes-Kennwort-7' };
  return (await calledOn(node)<{ id: string }>('accounts.create', credentials)).result.id;
}

/** Makes a key of an account that may decide. */
export async function makeKey(
  node: FleetNode | undefined,
  account_id: string,
): Promise<{ readonly apiKey: string; readonly id: string }> {
  const input = { name: 'fleet', scopes: ['verify', 'decide'] };
  const { result } = await calledOn(node)<{ key: string; id: string }>('keys.create', input, { account_id });
  return { apiKey: result.key, id: result.id };
}

function calledOn(node: FleetNode | undefined): FleetNode['call'] {
  if (node === undefined) throw new Error('There is no node.');
  return node.call;
}

function sumOf(askers: readonly Asker[]): AskedCounts {
  const sum = { own: 0, asked: 0, failed: 0 };
  for (const { counts } of askers) {
    sum.own += counts.own;
    sum.asked += counts.asked;
    sum.failed += counts.failed;
  }
  return sum;
}
