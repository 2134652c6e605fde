/** A store with two accounts that have some of everything, and what can be found of them in it. */

import { onTestFinished } from 'vitest';
import { nodeWebhookTransport } from '../../../adapters/node/index.ts';
import { everyCapability, type WholeService } from '../../../src/capabilities.ts';
import { createIdentityService } from '../../../src/core.ts';
import type { CollectionName, DomainProver, StorageAdapter, StoredRecord } from '../../../src/ports/index.ts';
import { fixtures } from '../../../src/testing/storage-contract/fixtures.ts';
import { PASSWORD, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { COLLECTIONS } from '../../support/storage-probe.ts';
import { waitUntil } from './wait.ts';

/** The words of an account that no byte may be left of; they stand in its e-mail, its passports, intents and limits. */
export const WORDS: readonly string[] = [
  'vergissmich',
  'geheimnis',
  'handlung',
  'zielort',
  '4711.23',
  'kostenstelle',
  'begruendung',
];

/** A clock that can be set ahead of the real one. */
export interface Shift {
  ms: number;
}

/** The TXT records of all domains. */
const published: string[] = [];
const domainProver: DomainProver = {
  txt: async () => published,
  text: () => Promise.reject(new TypeError('There is no page.')),
};

/** A service whose timers run fifty times as fast. */
export function openNode(storage: StorageAdapter, shift: Shift = { ms: 0 }): WholeService {
  const service = createIdentityService({
    storage,
    session: { secret: SECRET },
    domainProver,
    capabilities: everyCapability({
      webhooks: { transport: nodeWebhookTransport(), sends: false },
      identity: { secret: SECRET, publicUrl: PUBLIC_URL },
      evidence: { begins: false },
    }),
    clock: { now: () => Date.now() + shift.ms },
    storageDeadlineMs: 30_000,
    after(ms, run) {
      const timer = setTimeout(run, ms / 50);
      return () => clearTimeout(timer);
    },
  });
  onTestFinished(() => service.close());
  return service;
}

/** An account with its token and its key. */
export interface Resident {
  readonly account_id: string;
  readonly email: string;
  readonly token: string;
  readonly key: string;
  readonly key_id: string;
  readonly agents: readonly string[];
}

/** A delivery that no node has sent. */
async function sendLater(
  storage: StorageAdapter,
  webhook_id: string,
  { account_id, agent_id, word }: { account_id: string; agent_id: string; word: string },
): Promise<void> {
  const payload = JSON.stringify({
    type: 'passport.updated',
    data: { agent_id, description: `geheimnis ${word}` },
  });
  const record = fixtures.webhook_deliveries(`wdl_${word}`, { account_id, webhook_id, payload });
  await storage.write([{ op: 'insert', collection: 'webhook_deliveries', record }]);
}

/** The agents of an account, by the last part of their ids. */
const AGENT_NAMES = ['one', 'two', 'three'] as const;

/** What the agent of this index asks for the `number`th time, 1 to 4. */
export function amountOf(index: number, number: number, cents = '23'): string {
  return `${number}${index}7.${cents}`;
}

/** An account that has some of everything, with `word` in all of its texts and `cents` in all amounts. */
export async function settle(
  service: WholeService,
  storage: StorageAdapter,
  word: string,
  cents = '23',
): Promise<Resident> {
  const email = `${word}@example.com`;
  const { id: account_id } = await service.accounts.create({ email, password: PASSWORD });
  const { access_token: token } = await service.login({ email, password: PASSWORD });
  const actor = { account_id };
  const { id: key_id, key } = await service.keys.create({ name: `${word} geheimnis` }, actor);
  const domain = `${word}.example`;
  const { dns } = await service.domains.claim(domain, actor);
  published.push(dns?.value ?? '');
  await service.domains.check(domain, actor);
  const agents: string[] = [];
  for (const [index, agent_name] of AGENT_NAMES.entries()) {
    const target = `did:web:zielort-${word}-${agent_name}.example`;
    const { agent_id } = await service.passports.create(
      {
        ...{
          domain,
          agent_name,
          currency: 'EUR',
          metadata: { kostenstelle: `${word} geheimnis ${agent_name}` },
        },
        allowed_actions: [`handlung.${word}.${agent_name}`, 'rueckfrage.stellen'],
        allowed_targets: [target],
        monetary_actions: [`handlung.${word}.*`],
        monetary_limit_per_txn: `4711.${cents}`,
        budgets: [
          { name: `kostenstelle-${word}-${agent_name}`, window: 'day', limit: 9_999 },
          { name: `immer-${word}-${agent_name}`, window: 'lifetime', count: 500 },
        ],
        approval: { actions: ['rueckfrage.stellen'], seconds: 3_600 },
      },
      actor,
    );
    agents.push(agent_id);
    const asked = { agent_id, action: `handlung.${word}.${agent_name}`, target };
    for (let number = 1; number <= 4; number += 1) {
      const parameters = { amount: amountOf(index, number, cents), currency: 'EUR' };
      await service.verifyAs(
        key,
        { ...asked, parameters },
        { idempotencyKey: `${word} ${agent_name} ${number}` },
      );
    }
    const parameters = { amount: amountOf(index, 5, cents), currency: 'EUR' };
    const { decision_id } = await service.verifyAs(key, { ...asked, parameters, hold_seconds: 60 });
    await service.spends.release(decision_id, {}, actor);
    await service.verifyAs(key, { ...asked, action: `handlung.verboten.${word}` });
    await service.verifyAs(key, {
      ...asked,
      action: 'rueckfrage.stellen',
      parameters: { grund: `begruendung ${word} ${agent_name}` },
    });
    await service.passports.update(agent_id, { description: `geheimnis ${word} ${agent_name}` }, actor);
    await service.passports.sign(agent_id, {}, actor);
  }
  const hook = {
    url: `https://hooks.example/${word}/geheimnis`,
    types: ['passport.*'],
    description: `${word} geheimnis`,
  };
  const { id: webhook_id } = await service.webhooks.create(hook, actor);
  await sendLater(storage, webhook_id, { account_id, agent_id: agents[0] ?? '', word });
  await service.suspend({ agent_id: agents[2] ?? '', reason: `begruendung ${word}` }, actor);
  return { account_id, email, token, key, key_id, agents };
}

/** The collections with records of accounts. */
const OF_ACCOUNTS = COLLECTIONS.filter((name) => name !== 'signing_keys' && name !== 'shared_texts');

/** All records of a store. */
export async function recordsOf(
  storage: StorageAdapter,
): Promise<readonly (readonly [CollectionName, StoredRecord])[]> {
  const all: (readonly [CollectionName, StoredRecord])[] = [];
  for (const name of OF_ACCOUNTS) {
    const found = await storage.list(name, { where: {}, limit: 1_000 });
    all.push(...found.map((record) => [name, record] as const));
  }
  return all;
}

/** Settles when all that was filed is in the sums. */
export async function merged(storage: StorageAdapter): Promise<void> {
  await waitUntil(async () => {
    const writers = await storage.journal.writers();
    return writers.length > 0 && writers.every(({ flushed, merged: done }) => flushed === done);
  });
}
