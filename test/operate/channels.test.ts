/** The scripts that post approvals to a channel: each request is verified, and a message has one link and no button. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { nodeWebhookTransport } from '../../adapters/node/index.ts';
import { HOSTILE } from '../mcp-server/hostile-texts.ts';
import { root } from '../readme/run.ts';
import { openFolder, said, start } from '../support/process.ts';
import { manualClock, openService, PASSWORD } from '../support/service.ts';

type Channel = readonly [file: string, variable: string];

const CHANNELS: readonly Channel[] = [
  ['approvals-to-slack.mjs', 'SLACK_WEBHOOK_URL'],
  ['approvals-to-teams.mjs', 'TEAMS_WEBHOOK_URL'],
];
const SECRET = `whsec_${Buffer.from('x'.repeat(24)).toString('base64')}`;

/** A server in place of the channel. */
async function openChannel() {
  const messages: Record<string, unknown>[] = [];
  const answers = { status: 200 };
  const server = createServer(async (request, response) => {
    messages.push(JSON.parse(await text(request)));
    response.writeHead(answers.status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { messages, answers, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The path of a script. */
const pathOf = (file: string): string => join(root, 'examples/operate', file);

/** Starts a script in front of a channel; it ends with the test. */
async function openScript([file, variable]: Channel, secret: string, url: string) {
  const { folder, remove } = openFolder();
  const env = { PORT: '0', WEBHOOK_SECRET: secret, [variable]: url };
  const running = start(process.execPath, [pathOf(file)], { cwd: folder, env });
  onTestFinished(async () => {
    running.child.kill();
    await running.ended;
    remove();
  });
  const port = await said(running, () => /port (\d+)/.exec(running.stdout())?.[1]);
  return { running, address: `http://localhost:${port}/` };
}

/** Sends an event as the service does. */
async function send(
  address: string,
  data: object,
  { at = Date.now(), secret = SECRET, type = 'approval.requested' } = {},
) {
  const body = JSON.stringify({ id: 'evt_1', type, timestamp: new Date(at).toISOString(), data });
  const seconds = `${Math.floor(at / 1_000)}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`evt_1.${seconds}.${body}`).digest('base64');
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': seconds,
    'webhook-signature': `v1a,AAAA v1,${signature}`,
  };
  return (await fetch(address, { method: 'POST', headers, body })).status;
}

const URL_OF = 'https://id.example.com/#/approvals/apr_1';
const approvalOf = (value: string) => ({
  id: 'apr_1',
  agent_id: value,
  intent: {
    action: value,
    target: value,
    parameters: { amount: value, currency: value, iban: 'DE00-SECRET' },
  },
  expires_at: value,
  url: URL_OF,
});

test.each(CHANNELS)('%s posts what a real service sends', async (...channel) => {
  const { messages, url } = await openChannel();
  const { service } = openService(
    { webhooks: { transport: nodeWebhookTransport() }, allowLocalhost: true },
    manualClock(Date.now()),
  );
  const { id: account_id } = await service.accounts.create({ email: 'ann@example.com', password: PASSWORD });
  const actor = { account_id };
  // The secret is known only once the webhook is there, and the address only once the script listens.
  const { secret, id } = await service.webhooks.create(
    { url: 'http://localhost:1/', types: ['approval.*'] },
    actor,
  );
  const { address } = await openScript(channel, secret, url);
  await service.webhooks.update(id, { url: address }, actor);
  const fields = {
    allowed_actions: ['pay'],
    monetary_limit_per_txn: 900,
    currency: 'EUR',
    monetary_actions: ['pay'],
  };
  const { agent_id } = await service.passports.create(
    { domain: 'example.com', agent_name: 'shopper', ...fields, approval: { above: 100 } },
    actor,
  );
  const parameters = { amount: 250, currency: 'EUR', iban: 'DE00-SECRET' };
  const { reasons } = await service.verify({ agent_id, action: 'pay', parameters }, actor);
  await expect.poll(() => messages.length).toBe(1);
  const shown = JSON.stringify(messages);
  for (const part of [
    agent_id,
    'pay',
    '250 EUR',
    `https://id.example.net/#/approvals/${reasons[0]?.['approval_id']}`,
  ])
    expect(shown).toContain(part);
  expect(shown).not.toContain('SECRET');
  // A decision is no new approval.
  await service.approvals.reject(String(reasons[0]?.['approval_id']), {}, actor);
  await expect
    .poll(async () => (await service.webhooks.deliveries(id, {}, actor)).data.map(({ status }) => status))
    .toEqual(['delivered', 'delivered']);
  expect(messages).toHaveLength(1);
});

test.each(CHANNELS)(
  '%s refuses a request that is forged, old, altered or too long, and posts nothing',
  async (...channel) => {
    const { messages, url, answers } = await openChannel();
    const { address } = await openScript(channel, SECRET, url);
    const data = approvalOf('pay');
    const wrong = `whsec_${Buffer.from('y'.repeat(24)).toString('base64')}`;
    expect(await send(address, data, { secret: wrong })).toBe(500);
    for (const minutes of [-6, 6])
      expect(await send(address, data, { at: Date.now() + minutes * 60_000 })).toBe(500);
    expect((await fetch(address, { method: 'POST', body: JSON.stringify({ data }) })).status).toBe(500);
    expect((await fetch(address)).status).toBe(500);
    expect(await send(address, { ...data, long: 'x'.repeat(1_100_000) })).toBe(500);
    expect(await send(address, data, { type: 'approval.decided' })).toBe(204);
    expect(messages).toEqual([]);
    answers.status = 503;
    // The service sends it again.
    expect(await send(address, data)).toBe(500);
    answers.status = 200;
    expect(await send(address, data)).toBe(204);
  },
);

test.each(CHANNELS)('%s shows one link and no button, whatever an agent wrote', async (...channel) => {
  const { messages, url } = await openChannel();
  const { address } = await openScript(channel, SECRET, url);
  for (const value of HOSTILE) expect(await send(address, approvalOf(value))).toBe(204);
  expect(await send(address, { ...approvalOf('pay'), url: undefined })).toBe(204);
  expect(messages).toHaveLength(HOSTILE.length + 1);
  for (const [at, message] of messages.entries()) {
    const shown = JSON.stringify(message).replace('https://adaptivecards', '');
    expect(shown.match(/\/\//g) ?? []).toHaveLength(at < HOSTILE.length ? 1 : 0);
    expect(shown).not.toMatch(/button|"actions?"|Action\./i);
    for (const one of textsIn(message)) expect(one.trimEnd()).not.toMatch(/(?! )[\p{C}\p{Z}\p{DI}]/u);
    expect(kindsIn(message)).toEqual(expect.not.arrayContaining(['mrkdwn', 'Markdown']));
  }
});

/** The texts in a message. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The kinds of parts in a message. */
function kindsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [Object(value).type, ...Object.values(value).flatMap(kindsIn)];
}

test.each(CHANNELS)('%s does not start without the secret of the webhook', async (file) => {
  for (const env of [{}, { WEBHOOK_SECRET: '' }, { WEBHOOK_SECRET: 'other' }]) {
    const ended = await start(process.execPath, [pathOf(file)], { cwd: root, env }).ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('Set WEBHOOK_SECRET');
  }
});

test('the texts of agents are literal in both channels', async () => {
  for (const channel of CHANNELS) {
    const { messages, url } = await openChannel();
    const { address } = await openScript(channel, SECRET, url);
    expect(await send(address, approvalOf('[x](y) <!channel> *bold*'))).toBe(204);
    const places = placesOf(messages[0], '<!channel>');
    expect(new Set(places)).toEqual(new Set([channel[0].includes('slack') ? 'text' : 'TextRun']));
  }
});

/** The types of the parts that hold a text. */
function placesOf(value: unknown, part: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.values(value).some((member) => typeof member === 'string' && member.includes(part));
  return [
    ...(own ? [Object(value).type] : []),
    ...Object.values(value).flatMap((member) => placesOf(member, part)),
  ];
}
