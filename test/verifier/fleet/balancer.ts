/** A balancer that picks a node for each request, and behind which requests and answers are delayed, cut and repeated. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The shares of requests that something happens to. */
export interface WireFaults {
  /** On the way there, and on the way back: up to 2 s. */
  readonly delayed: number;
  /** The answer never comes, and nothing says so. */
  readonly cut: number;
  /** Delivered to two nodes; one of the answers comes back. */
  readonly twice: number;
}

/** A running balancer. */
export interface Balancer {
  readonly baseUrl: string;
  faults: WireFaults;
  /** The requests so far. */
  readonly count: () => number;
  close(): void;
}

export const NO_FAULTS: WireFaults = { delayed: 0, cut: 0, twice: 0 };
const LONGEST_MS = 2_000;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Starts a balancer in front of nodes on these ports. */
export async function startBalancer(ports: readonly number[], random: () => number): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, timeout: 3_000 });
  const state = { faults: NO_FAULTS };
  let count = 0;

  const anyPort = () => ports[Math.floor(random() * ports.length)] ?? 0;
  const isHit = (share: number) => random() < share;
  const delay = () => (isHit(state.faults.delayed) ? sleep(random() * LONGEST_MS) : undefined);

  function forward(asked: IncomingMessage, body: Buffer): Promise<Answer> {
    const { method, url, headers } = asked;
    return new Promise((resolve, reject) => {
      const sent = request({ port: anyPort(), host: '127.0.0.1', method, path: url, headers, agent });
      sent.once('error', reject);
      sent.once('response', (response) => {
        bytesOf(response).then(
          (answer) =>
            resolve({ status: response.statusCode ?? 502, headers: response.headers, body: answer }),
          reject,
        );
      });
      sent.end(body);
    });
  }

  async function pass(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    count += 1;
    const body = await bytesOf(asked);
    await delay();
    const both = [forward(asked, body), ...(isHit(state.faults.twice) ? [forward(asked, body)] : [])];
    const all = await Promise.all(both);
    await delay();
    if (isHit(state.faults.cut)) return;
    const { status, headers, body: text } = all[Math.floor(random() * all.length)] ?? fail();
    response.writeHead(status, headers).end(text);
  }

  const server = createServer((asked, response) => {
    pass(asked, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    ...{ baseUrl: `http://127.0.0.1:${port}/api`, count: () => count },
    close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  });
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}

function fail(): never {
  throw new Error('There is no answer.');
}
