/** Nodes that are killed while a client asks them, and asks again until it has an answer. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const NODE = fileURLToPath(new URL('node.mjs', import.meta.url));
/** What a client may be answered while another node still answers the same, or the storage is slow. */
export const TRY_AGAIN: readonly unknown[] = ['conflict', 'storage_unavailable'];
export const AGAIN_MS = 5;

/** What a node can be asked. */
export type Method =
  | ('verify' | 'commit' | 'release' | 'approve' | 'reject' | 'report' | 'erase')
  | ('invite' | 'acceptLink' | 'update' | 'remove');

/** How a node works: its journal, and how many times as fast its timers run. */
export interface NodeOptions {
  readonly journal?: 'strict';
  readonly faster?: number;
  /** The program of a node, if it is asked for other methods than the methods of spending. */
  readonly program?: string;
}

interface Node {
  ask(method: Method, args: readonly unknown[]): Promise<Reply>;
  /** Resolves when it has answered once. */
  readonly served: Promise<unknown>;
  kill(): Promise<void>;
}

/** An answer, or the code of an error. */
export interface Reply {
  readonly answer?: unknown;
  readonly code?: unknown;
}

/** Several nodes on one storage. */
export interface Nodes {
  /** What any node says to it, asked once; `undefined`: it was killed before it had answered. */
  askOnce(method: Method, args: readonly unknown[]): Promise<Reply | undefined>;
  /** The answer of any node. `onLost` is called, and awaited, each time a node was killed before it had answered. */
  untilAnswered(method: Method, args: readonly unknown[], onLost?: () => Promise<void>): Promise<unknown>;
  /** Kills one that has answered, that many milliseconds later, and starts another in its place. */
  killOne(ms: number): Promise<void>;
  /** Resolves when all can be asked. */
  ready(): Promise<unknown>;
  /** Kills them all. */
  end(): Promise<void>;
}

/** `count` nodes on the storage at `url`. */
export function startNodes(url: string, count: number, options: NodeOptions = {}): Nodes {
  const nodes = Array.from({ length: count }, () => startNode(url, options));
  let turn = 0;
  let killed = 0;

  async function askOnce(method: Method, args: readonly unknown[]): Promise<Reply | undefined> {
    turn += 1;
    const node = (await nodes[turn % count]) as Node;
    return node.ask(method, args).catch(() => undefined);
  }

  return {
    askOnce,

    async untilAnswered(method, args, onLost = async () => {}) {
      for (;;) {
        const reply = await askOnce(method, args);
        if (reply === undefined) await onLost();
        else if (reply.code === undefined) return reply.answer;
        else if (!TRY_AGAIN.includes(reply.code)) throw new Error(`${method}: ${reply.code}`);
        else await pause(AGAIN_MS);
      }
    },

    async killOne(ms) {
      killed += 1;
      const place = killed % count;
      const node = (await nodes[place]) as Node;
      await node.served;
      await pause(ms);
      const gone = node.kill();
      nodes[place] = startNode(url, options);
      await gone;
    },

    ready: () => Promise.all(nodes),

    async end() {
      for (const node of nodes) await node.then(({ kill }) => kill());
    },
  };
}

async function startNode(url: string, options: NodeOptions): Promise<Node> {
  const child: ChildProcess = fork(options.program ?? NODE, [url, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, (reply: Reply | undefined) => void>();
  let count = 0;
  let isGone = false;
  let serve: (() => void) | undefined;
  const served = new Promise<void>((resolve) => {
    serve = resolve;
  });
  const exit = once(child, 'exit').then(() => {
    isGone = true;
    serve?.();
    for (const answer of waiting.values()) answer(undefined);
  });
  child.on('error', () => {});
  await Promise.race([
    once(child, 'message'),
    exit.then(() => Promise.reject(new Error('A node ended by itself.'))),
  ]);
  child.on('message', ({ id, ...reply }: Reply & { readonly id: number }) => {
    waiting.get(id)?.(reply);
    waiting.delete(id);
    serve?.();
  });

  return {
    served,
    ask: (method, args) =>
      new Promise((resolve, reject) => {
        const id = count++;
        const lost = () => reject(new Error('The node was killed.'));
        if (isGone || !child.connected) return lost();
        waiting.set(id, (reply) => (reply === undefined ? lost() : resolve(reply)));
        child.send({ id, method, args }, () => {});
      }),
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
