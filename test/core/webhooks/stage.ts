import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, vi } from 'vitest';
import { nodeWebhookTransport } from '../../../adapters/node/index.ts';
import type { WebhookTransport } from '../../../src/ports/index.ts';
import type { NewWebhook } from '../../../src/records/webhook.ts';
import { PASSPORT } from '../../support/api.ts';
import { type DnsServer, openDnsServer } from '../../support/dns-server.ts';
import {
  type ManualClock,
  manualClock,
  type Opened,
  openService,
  PASSWORD,
  type WholeOptions,
} from '../../support/service.ts';
import { openTlsServer, type TlsServer } from '../../support/tls-server.ts';

export const HOST = 'hooks.example';
export const GLOBAL = '93.184.216.34';
export const AGENT = 'did:web:example.com:agents:shopper';

/** Every step is a connection over TLS. */
vi.setConfig({ testTimeout: 60_000 });

/** A request that a receiver got. */
export interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** By the clock of the service. */
  readonly at: number;
  readonly event: { readonly id: string; readonly type: string; readonly data: Record<string, unknown> };
}

/** Answers a request that was read. */
export type Answer = (received: Received, response: ServerResponse) => void;

/** A service, the Internet around it with one receiver, and an account. */
export interface WebhookStage extends Opened {
  readonly dns: DnsServer;
  readonly web: TlsServer;
  readonly transport: WebhookTransport;
  readonly received: Received[];
  /** What the receiver answers from now on; by default 204. */
  answer: Answer;
  readonly actor: { readonly account_id: string };
  create(types?: readonly string[], path?: string): Promise<NewWebhook>;
  /** Settles when the receiver has had this number of requests. */
  arrived(count: number): Promise<void>;
  /** Settles when the log of the webhook is so, the newest delivery first. */
  logged(id: string, expected: readonly object[]): Promise<void>;
}

/** Its receiver serves HTTPS on this machine, and its name leads there by DNS. */
export async function openWebhooks(
  options: WholeOptions = {},
  // The verifiers of third parties use the clock of the machine.
  clock: ManualClock = manualClock(Date.now()),
): Promise<WebhookStage> {
  const received: Received[] = [];
  const responses: ServerResponse[] = [];
  const dns = await openDnsServer();
  const web = await openTlsServer([HOST], async (request, response) => {
    const got = { ...(await read(request)), at: clock.now() };
    received.push(got);
    responses.push(response);
    stage.answer(got, response);
  });
  dns.set(HOST, { a: [GLOBAL] });
  const transport = nodeWebhookTransport({ ca: web.ca, dial: web.dial, resolver: dns.resolver });
  const opened = openService({ webhooks: { transport }, ...options }, clock);
  // What was never answered ends here, and so does what is sent instead: a service that is closed waits for it.
  onTestFinished(() => {
    stage.answer = (_, response) => void response.destroy();
    for (const response of responses) response.destroy();
  });
  const { service, secrets } = opened;
  const { id: account_id } = await service.accounts.create({ email: 'ann@example.com', password: PASSWORD });
  const actor = { account_id };
  const stage: WebhookStage = {
    ...opened,
    ...{ dns, web, transport, received, actor },
    answer: (_, response) => void response.writeHead(204).end(),
    async create(types = ['passport.*'], path = '/in') {
      const made = await service.webhooks.create({ url: `https://${HOST}${path}`, types }, actor);
      secrets.add(made.secret);
      return made;
    },
    arrived: (count) => expect.poll(() => received.length).toBeGreaterThanOrEqual(count),
    async logged(id, expected) {
      const log = async () => (await service.webhooks.deliveries(id, {}, actor)).data;
      await expect.poll(log).toMatchObject(expected);
    },
  };
  return stage;
}

/** Makes an event of type `passport.created`, and one of `domain.claimed` with the first. */
export function issue(
  { service, actor }: WebhookStage,
  agent_name = 'shopper',
): Promise<{ readonly agent_id: string }> {
  return service.passports.create({ ...PASSPORT, agent_name }, actor);
}

async function read(request: IncomingMessage): Promise<Omit<Received, 'at'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  return { url: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) };
}
