/** What leaves an account by itself, or as a file, names members and none of the things by which a person comes in. */

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openidProvider } from '../../adapters/oidc/index.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { passwordHasher } from '../../src/credential/password.ts';
import { events } from '../../src/events/index.ts';
import { fetchHandler } from '../../src/http/index.ts';
import { createIdentityService } from '../../src/index.ts';
import { people } from '../../src/people/index.ts';
import type { WebhookTransport } from '../../src/ports/index.ts';
import type { LogEvent } from '../../src/ports/storage.ts';
import { webhooks } from '../../src/webhooks/index.ts';
import { type Issuer, PERSON, startIssuer } from '../support/oidc-issuer.mjs';
import { PATIENT_MS } from '../support/patience.ts';
import { PASSWORD, SECRET } from '../support/service.ts';

const HOST_PERSON = 'host-user-7f3a91';
const HOST_EMAIL = 'cy@host.example';
const ANN = 'boss@example.com';
const BEN = 'ben@example.com';
const TYPES = ['passport.*', 'key.*', 'member.*', 'approval.*', 'account.*', 'webhook.*', 'verdict.allowed'];

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.close());

/** A service with an issuer, webhooks that are kept as they are sent, and an account that hears of everything. */
async function openStage() {
  const sent: unknown[] = [];
  const logs: LogEvent[] = [];
  const transport: WebhookTransport = {
    refusal: () => undefined,
    async post({ url, headers, body }) {
      sent.push({ url, headers, body });
      return { status: 204, retryAfter: null };
    },
  };
  const { browse, close: _, ...options } = issuer;
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    ...{ storage: memoryStorage(), session: { secret: SECRET }, log: (event) => logs.push(event) },
    capabilities: [
      webhooks({ transport }),
      events(),
      people({ oidc: { provider: openidProvider(options) } }),
    ],
    passwordHasher: passwordHasher({ cost: { ln: 4, r: 8, p: 1 } }),
  });
  onTestFinished(() => service.close());
  const { id: account_id } = await service.accounts.create({ email: ANN, password: PASSWORD });
  const { access_token } = await service.login({ email: ANN, password: PASSWORD });
  const ann = await service.authenticateSession(access_token);
  const webhook = await service.webhooks.create({ url: 'https://hooks.example/in', types: TYPES }, ann);
  const hidden = new Set<string>([SECRET, PASSWORD, HOST_PERSON, HOST_EMAIL, ANN, BEN, PERSON, access_token]);

  /** Signs the person of the issuer in, and keeps all that passed through the browser. */
  async function atIssuer(link?: string) {
    const { url, transaction } = await service.oidc.start();
    const response = await browse(url);
    const [payload = ''] = transaction.split('.');
    const [, sealed = ''] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string];
    const query = new URLSearchParams(response);
    const parts = Object.values(JSON.parse(sealed) as Readonly<Record<string, string>>);
    for (const text of [...parts, query.get('code'), query.get('state'), transaction, link])
      if (text) hidden.add(text);
    const session = await service.oidc.finish({ transaction, response, ...(link && { link }) });
    hidden.add(session.access_token);
  }

  const host = fetchHandler(service, {
    authenticate: () => ({
      ...{ account_id, member: HOST_PERSON, role: 'admin' as const, email: HOST_EMAIL, name: 'Cy' },
    }),
  });
  /** Asks as the person of the application. */
  async function byHost<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const init = { method, headers: { 'content-type': 'application/json' } };
    const request = new Request(`https://id.example/api${path}`, {
      ...init,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await host(request);
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    return answer.json() as Promise<Answer>;
  }
  return { service, sent, logs, hidden, ann, webhook, atIssuer, byHost };
}

/** The events of a stream up to the first of this type, as they are sent. */
async function streamTo(
  events: AsyncIterable<{ readonly type: string }>,
  last: string,
): Promise<readonly object[]> {
  const read: object[] = [];
  for await (const event of events) {
    read.push(event);
    if (event.type === last) break;
  }
  return read;
}

test('no link, code, verifier, token, address or id of the application is in a delivery, a stream, the CSV or the log', async () => {
  const { service, sent, logs, hidden, ann, webhook, atIssuer, byHost } = await openStage();
  hidden.add(webhook.secret);
  const stream = streamTo(await service.events.open({}, ann), 'member.removed');

  // A person joins with a password, is led to the issuer by a reset, and signs in there.
  const { member, link } = await service.members.invite({ role: 'editor', email: BEN, name: 'Ben' }, ann);
  hidden.add(link.token);
  await service.acceptLink({ token: link.token, password: PASSWORD });
  const reset = await service.members.link(member.id, ann);
  await atIssuer(reset.token);
  await atIssuer();

  // A person of an application makes a key, asks by it, decides, and reports.
  const passport = await byHost<{ agent_id: string }>('POST', '/passports', {
    ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['pay'], monetary_limit_per_txn: 10 },
    approval: { actions: ['pay'] },
  });
  const key = await byHost<{ id: string; key: string }>('POST', '/keys', { name: 'till' });
  hidden.add(key.key);
  const { agent_id } = passport;
  const asked = await service.verifyAs(key.key, { agent_id, action: 'pay' });
  const approval_id = `${asked.reasons[0]?.['approval_id']}`;
  await byHost('POST', `/approvals/${approval_id}/approve`, { note: 'seen' });
  expect((await service.verifyAs(key.key, { agent_id, action: 'pay', approval_id })).verdict).toBe('ALLOW');
  await service.members.remove(member.id, {}, ann);

  const types = () => sent.map((one) => JSON.parse((one as { body: string }).body).type as string);
  await expect.poll(types).toContain('member.removed');
  await expect.poll(types).toContain('verdict.allowed');
  expect(new Set(types())).toEqual(
    new Set([
      ...['member.invited', 'member.joined', 'member.link_created', 'member.login_replaced'],
      ...['member.signed_in', 'member.removed', 'passport.created', 'key.created', 'webhook.created'],
      ...['approval.requested', 'approval.decided', 'verdict.allowed'],
    ]),
  );
  const told = {
    sent: JSON.stringify(sent),
    deliveries: JSON.stringify(await service.webhooks.deliveries(webhook.id, { limit: 100 }, ann)),
    stream: JSON.stringify(await stream),
    audit: JSON.stringify(await service.audit.list({ limit: 100 }, ann)),
    auditCsv: await textOf(await service.audit.csv({}, ann)),
    verdictsCsv: await textOf(await service.verifications.csv({}, ann)),
    logs: JSON.stringify(logs),
  };
  // The search finds what is there: each of them names the member or the key.
  for (const name of ['sent', 'stream', 'audit', 'auditCsv', 'logs'] as const)
    expect(told[name], name).toContain(member.id);
  expect(told.verdictsCsv).toContain(key.id);
  for (const [name, text] of Object.entries(told)) {
    for (const secret of hidden) {
      expect(secret.length).toBeGreaterThan(6);
      expect(text.includes(secret), `${name} has ${secret}`).toBe(false);
    }
  }
});

async function textOf(lines: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const line of lines) text += line;
  return text;
}
