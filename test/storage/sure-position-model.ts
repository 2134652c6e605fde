/**
 * A model of Redis with a primary and two replicas, of nodes that write through it, and of fail-overs that lose what a
 * replica has not. The nodes use a real `createSurePosition`, or a mutant of it.
 */
import { hasAll } from '../../adapters/storage/redis/guard.ts';
import type {
  createSurePosition,
  Outcome,
  SurePosition,
} from '../../adapters/storage/redis/sure-position.ts';

/** What was broken, in words; empty if all promises were kept. */
export type Broken = string | undefined;

/** The number of replicas that a write waits for. */
const REPLICAS = 1;
const SERVERS = 3;

/** What a server has stored, in the order of its replication stream. */
interface Entry {
  readonly kind: 'write' | 'touch' | 'run';
  readonly name: string;
}

interface Pending {
  readonly node: number;
  /** Answers if it can; `isLast` says that the time is up. */
  readonly settle: (isLast: boolean) => boolean;
  readonly lose: () => void;
}

interface Node {
  readonly sure: SurePosition;
  readonly acknowledged: Set<string>;
  /** The last entries that a `WAIT` of this node has covered. */
  readonly covered: Entry[];
  turn: (() => void)[];
  connection: number;
  /** The length of the stream at the last write of the connection. */
  wroteUpTo: number;
  current: string | undefined;
  isIn: boolean;
}

/** Runs the model with a source of randomness; returns the first broken promise. */
export async function runModel(
  create: typeof createSurePosition,
  { random, steps }: { readonly random: () => number; readonly steps: number },
): Promise<Broken> {
  /** What each server has; the first is the primary. */
  let servers: Entry[][] = Array.from({ length: SERVERS }, () => []);
  let incarnation = 'r0';
  let named = 0;
  let pending: Pending[] = [];
  let broken: Broken;
  const pick = (below: number): number => Math.floor(random() * below);
  const stream = (): Entry[] => servers[0] as Entry[];
  const positionOf = (entries: readonly Entry[]): number =>
    entries.filter(({ kind }) => kind === 'write').length;
  const runsOf = (entries: readonly Entry[]): string[] =>
    entries.flatMap(({ kind, name }, at) =>
      kind === 'run' ? [`${name} ${positionOf(entries.slice(0, at))}`] : [],
    );
  const followers = (length: number): number => servers.slice(1).filter((has) => has.length >= length).length;
  const say = (what: string): void => {
    broken ??= what;
  };

  /** Executes a command now, and answers it, or loses its connection, later. */
  function command<Answer>(node: number, execute: () => Answer, isReady?: (isLast: boolean) => boolean) {
    const its = nodes[node] as Node;
    if (!its.isIn) return Promise.reject(new Error('no connection'));
    const answer = execute();
    return new Promise<Answer>((resolve, reject) => {
      pending.push({
        node,
        settle(isLast) {
          if (isReady !== undefined && !isReady(isLast)) return false;
          resolve(answer);
          return true;
        },
        lose: () => reject(new Error('lost')),
      });
    });
  }

  function append(node: number, entry: Entry): number {
    stream().push(entry);
    (nodes[node] as Node).wroteUpTo = stream().length;
    return positionOf(stream());
  }

  const nodes: Node[] = [0, 1].map((at) => {
    const node: Node = {
      sure: create({
        replicas: REPLICAS,
        async wait() {
          const upTo = node.wroteUpTo;
          let reached = 0;
          await command(
            at,
            () => undefined,
            (isLast) => {
              reached = followers(upTo);
              const last = stream()[upTo - 1];
              if (reached >= REPLICAS && last !== undefined) node.covered.push(last);
              return reached >= REPLICAS || isLast;
            },
          );
          return reached;
        },
        touch: () => command(at, () => outcome(append(at, { kind: 'touch', name: '' }), true)),
        atTurnEnd: (act) => node.turn.push(act),
        connection: () => node.connection,
      }),
      acknowledged: new Set(),
      covered: [],
      turn: [],
      connection: 0,
      wroteUpTo: 0,
      current: undefined,
      isIn: false,
    };
    return node;
  });

  /** Enters the present incarnation as `guarded-store.ts` does; a store that was refused may be entered later. */
  function enter(node: Node, at: number): void {
    const listed = runsOf(stream());
    if (listed.at(-1)?.split(' ')[0] !== incarnation) append(at, { kind: 'run', name: incarnation });
    const known = node.sure.value;
    const isAccepted = hasAll(runsOf(stream()), node.current, known);
    const lost = [...node.acknowledged].filter((name) => !stream().some((entry) => entry.name === name));
    const lostByAny = nodes.some(({ acknowledged }) =>
      [...acknowledged].some((name) => !stream().some((entry) => entry.name === name)),
    );
    if (isAccepted && lost.length > 0) say('an acknowledged write was lost, and its node goes on');
    // The replica that has it may not be the one that takes over: then a store without it is refused.
    const hasCovered = node.covered.every((entry) => stream().includes(entry));
    if (!isAccepted && !lostByAny && hasCovered) say('a store with all acknowledged writes was refused');
    if (!isAccepted) return;
    append(at, { kind: 'touch', name: '' });
    if (followers(node.wroteUpTo) < REPLICAS && random() < 0.5) replicate();
    if (followers(node.wroteUpTo) < REPLICAS) return;
    node.covered.push(...stream().slice(node.wroteUpTo - 1, node.wroteUpTo));
    node.current = incarnation;
    node.connection += 1;
    node.wroteUpTo = 0;
    node.isIn = true;
  }

  function replicate(): void {
    const at = 1 + pick(SERVERS - 1);
    const has = servers[at] as Entry[];
    const more = 1 + pick(stream().length - has.length);
    servers[at] = stream().slice(0, has.length + more);
  }

  /** A replica takes over; the others follow it from what both have. */
  function failOver(): void {
    const [promoted = []] = servers.splice(1 + pick(SERVERS - 1), 1);
    servers = [[...promoted], ...servers.map((has) => has.slice(0, promoted.length))];
    named += 1;
    incarnation = `r${named}`;
    for (const node of nodes) node.isIn = false;
    for (const { lose } of pending) lose();
    pending = [];
  }

  function write(node: Node, at: number): void {
    const name = `w${stream().length}-${named}-${pick(1e9)}`;
    const send = () => command(at, () => outcome(append(at, { kind: 'write', name }), true));
    node.sure
      .write(send, () => 1_000)
      .then(() => {
        node.acknowledged.add(name);
        // It may have come with the fail-over itself: then its node must notice.
        const index = stream().findIndex((entry) => entry.name === name);
        if (index !== -1 && followers(index + 1) < REPLICAS)
          say('a write was acknowledged that no replica has');
      }, ignore);
  }

  /** An answer that speaks of an earlier write, by a script that changes nothing or by a read. */
  function speak(node: Node, at: number): void {
    const connection = node.connection;
    const speaks = (length: number) => (): void => {
      const isOld = node.connection !== connection || !node.isIn;
      if (!isOld && followers(length) < REPLICAS) say('an answer spoke of a write that no replica has');
    };
    const lengthOf = (position: number): number => {
      const places = stream().flatMap(({ kind }, index) => (kind === 'write' ? [index + 1] : []));
      return places[position - 1] ?? 0;
    };
    const read = () => command(at, () => outcome(positionOf(stream()), false));
    if (random() < 0.5) {
      let position = 0;
      const send = async () => {
        const found = await read();
        position = found.position;
        return found;
      };
      node.sure.write(send, () => 1_000).then(() => speaks(lengthOf(position))(), ignore);
    } else {
      read()
        .then(async ({ position }) => {
          node.sure.note(position);
          await node.sure.confirm(position, () => 1_000);
          speaks(lengthOf(position))();
        })
        .catch(ignore);
    }
  }

  for (let step = 0; step < steps && broken === undefined; step += 1) {
    const at = pick(nodes.length);
    const node = nodes[at] as Node;
    const kind = random();
    if (!node.isIn) enter(node, at);
    else if (kind < 0.2) write(node, at);
    else if (kind < 0.3) speak(node, at);
    else if (kind < 0.35) node.sure.note(positionOf(stream()));
    else if (kind < 0.55) for (const act of node.turn.splice(0)) act();
    else if (kind < 0.7) replicate();
    else if (kind < 0.95) {
      const isLast = random() < 0.2;
      // One connection answers in the order of its commands.
      const first = pending.find((one) => one.node === at);
      if (first?.settle(isLast)) pending.splice(pending.indexOf(first), 1);
    } else failOver();
    await new Promise(setImmediate);
  }
  for (const { lose } of pending) lose();
  return broken;
}

function outcome(position: number, hasWritten: boolean): Outcome<undefined> {
  return { position, hasWritten, answer: undefined };
}

function ignore(): void {}
