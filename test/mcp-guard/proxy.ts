/** `agent-identity mcp-guard` over a service of the test, in front of a server that records what it is sent. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createIdentityService, type IdentityService } from 'agent-identity-service';
import { nodeListener } from 'agent-identity-service/http';
import { memoryStorage } from 'agent-identity-service/storage/memory';
import { onTestFinished } from 'vitest';
import { PATIENT_MS } from '../support/patience.ts';
import { CLI, openFolder } from '../support/process.ts';

/** The agent of the tests. */
export const AGENT = 'did:web:example.com:agents:shopper';
/** A server that writes down what it is sent. */
const RECORDER: string = fileURLToPath(new URL('recording-server.mjs', import.meta.url));
const RULES = {
  pay: { action: 'payments.create', amount: '/cents', decimals: 2, currency: 'EUR' },
} as const;

/** A service behind HTTP with a shopper that may pay up to 100 euros and search. */
export interface Shop {
  readonly service: IdentityService;
  readonly server: Server;
  readonly url: string;
  readonly apiKey: string;
}

/** Opens the shop; it is closed with the test. */
export async function openShop(
  answer?: (listener: ReturnType<typeof nodeListener>) => RequestListener,
): Promise<Shop> {
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage() });
  await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', monetary_limit_per_txn: 100, currency: 'EUR' },
    ...{ allowed_actions: ['payments.create', 'search', 'echo', 'get-sum'] },
    monetary_actions: ['payments.create'],
  });
  const { key } = await service.keys.create({ name: 'proxy' });
  const listener = nodeListener(service);
  const server = createServer(answer === undefined ? listener : answer(listener)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await service.close();
  });
  const { port } = server.address() as AddressInfo;
  return { service, server, url: `http://127.0.0.1:${port}`, apiKey: key };
}

/** A message as the client sees it. */
export interface Answer {
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A proxy that runs. */
export interface Proxy {
  /** Writes to its stdin as it is. */
  write(bytes: string | Uint8Array): void;
  /** Sends a message, and waits for the answer of its id. */
  ask(message: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Waits for an answer that `test` takes. */
  answer(test: (answer: Answer) => boolean): Promise<Answer>;
  /** The lines on stdout so far. */
  lines(): readonly string[];
  stderr(): string;
  /** What the recording server was sent. */
  received(): readonly string[];
  signal(name: NodeJS.Signals): void;
  endInput(): void;
  readonly ended: Promise<number | string>;
}

/** How long a test waits before it says that the proxy hangs. */
const HANG_MS = 10_000;

/** Starts the proxy over the shop in front of `server`, by default the recording one; it ends with the test. */
export function startProxy(
  { url, apiKey }: Pick<Shop, 'url' | 'apiKey'>,
  options: {
    readonly args?: readonly string[];
    readonly server?: readonly string[];
    readonly what?: string;
    readonly agent?: string;
    readonly rules?: object;
  } = {},
): Proxy {
  const { folder, remove } = openFolder();
  const file = join(folder, 'received');
  const { args = [], what = '', agent = AGENT, rules = RULES } = options;
  const tools = join(folder, 'rules.json');
  writeFileSync(tools, JSON.stringify(rules));
  const server = options.server ?? [process.execPath, RECORDER, file, what];
  const child = spawn(
    process.execPath,
    [CLI, 'mcp-guard', '--agent', agent, '--url', url, '--tools', tools, ...args, '--', ...server],
    { env: { PATH: process.env['PATH'], HOME: folder, AGENT_IDENTITY_API_KEY: apiKey } },
  );
  const written = { stdout: '', stderr: '' };
  const more = new EventEmitter().setMaxListeners(0);
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      more.emit('more');
    });
  }
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    remove();
  });
  const lines = (): readonly string[] => written.stdout.split('\n').slice(0, -1);

  async function answer(test: (answer: Answer) => boolean): Promise<Answer> {
    const late = new Promise<true>((resolve) => setTimeout(resolve, HANG_MS, true).unref());
    const over = Promise.race([late, ended.then(() => true)]);
    for (;;) {
      const next = once(more, 'more').then(() => false);
      const found = lines().flatMap(parsed).find(test);
      if (found !== undefined) return found;
      if (await Promise.race([next, over])) {
        throw new Error(`No such answer. ${written.stdout.slice(0, 2_000)}${written.stderr}`);
      }
    }
  }

  return {
    write: (bytes) => child.stdin.write(bytes),
    ask(message) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      return answer(({ id }) => JSON.stringify(id) === JSON.stringify(message['id']));
    },
    answer,
    lines,
    stderr: () => written.stderr,
    received: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []),
    signal: (name) => child.kill(name),
    endInput: () => child.stdin.end(),
    ended,
  };
}

function parsed(line: string): Answer[] {
  try {
    return [Object(JSON.parse(line)) as Answer];
  } catch {
    return [];
  }
}

/** A call of the tool `pay`. */
export function pay(id: unknown, cents: unknown): Readonly<Record<string, unknown>> {
  return { id, method: 'tools/call', params: { name: 'pay', arguments: { cents } } };
}
