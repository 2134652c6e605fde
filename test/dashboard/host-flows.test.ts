/** Each flow of the dashboard under the login of an application: with only its cookie, and no token. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeWebhookTransport } from '../../adapters/node/index.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { everyCapability, type WholeService } from '../../src/capabilities.ts';
import { createIdentityService } from '../../src/index.ts';
import type { HostActor } from '../../src/people/host-accounts.ts';
import { people } from '../../src/people/index.ts';
import type { HostLogin, PassportInput, VerdictRecord } from '../../src/records.ts';
import { closeAfterFile } from '../support/closers.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { SECRET } from '../support/service.ts';
import { hasChromium, openBrowser } from './browser.ts';
import { hostApp, serve } from './host-app.ts';

const PEOPLE: Readonly<Record<string, HostLogin>> = {
  ann: { account: 'org-7f3a91', member: 'person-5c2e04', role: 'owner', name: 'Ann' },
  ben: { account: 'org-7f3a91', member: 'person-9d1b66', role: 'approver', name: 'Ben' },
};
const HOST_IDS = Object.values(PEOPLE).flatMap(({ account, member }) => [String(account), member]);
const BUYER: PassportInput = {
  ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['payments.create'], currency: 'EUR' },
  ...{ monetary_actions: ['payments.create'], monetary_limit_per_txn: 1_000 },
  ...{ approval: { above: 100 }, budgets: [{ name: 'paper', window: 'day', limit: 500 }] },
};

/** The person that a page shows, and all that its requests told the application in an address or a Referer. */
interface Seat {
  readonly page: Page;
  readonly problems: readonly string[];
}

describe.runIf(hasChromium)('under the login of an application', () => {
  let service: WholeService;
  let ann: HostActor;
  let agent_id: string;
  let sit: (who: 'ann' | 'ben') => Promise<Seat>;
  /** The address, the Referer and the Authorization of each request. */
  const heard: string[] = [];

  beforeAll(async () => {
    service = createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      ...{ storage: memoryStorage(), domainProof: 'off', allowLocalhost: true },
      capabilities: everyCapability({
        webhooks: { transport: nodeWebhookTransport() },
        identity: { secret: SECRET, publicUrl: 'https://id.example/api' },
        evidence: {},
      }),
    });
    closeAfterFile(() => service.close());
    ann = await service.actorOf(PEOPLE['ann'] as HostLogin);
    ({ agent_id } = await service.passports.create(BUYER, ann));
    const app = express().use(({ originalUrl, headers }, _, next) => {
      heard.push(`${originalUrl} ${headers.referer} ${headers.authorization}`);
      next();
    });
    const origin = `http://localhost:${await serve(app.use(hostApp(service, 'lax', PEOPLE)))}`;
    const open = await openBrowser();
    sit = async (who) => {
      const seat = await open(origin);
      await seat.page.goto(`/login?as=${who}`);
      return seat;
    };
  });

  const pay = (amount: number, approval_id?: string) => {
    const intent = { agent_id, action: 'payments.create', parameters: { amount, currency: 'EUR' } };
    return service.verify({ ...intent, ...(approval_id !== undefined && { approval_id }) }, ann);
  };

  test('a passport is issued, edited, suspended, reinstated and revoked', async () => {
    const { page, problems } = await sit('ann');
    await page.goto('/#/passports/new');
    await page.getByLabel('Domain').fill('shop.example');
    await page.getByLabel('Agent name').fill('clerk');
    await page.getByLabel('Allowed actions').fill('orders.get');
    await page.getByLabel('Limit per transaction').fill('10');
    await page.getByRole('button', { name: 'Issue passport' }).click();
    await page.getByRole('heading', { name: 'clerk' }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Limit per transaction').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.locator('ins', { hasText: '5' }).waitFor();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByLabel('Until').fill('2099-01-02T03:04');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('The passport is suspended.').waitFor();
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await dialog.getByRole('button', { name: 'Reinstate' }).click();
    await page.getByText('The passport is active again.').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByLabel('Type clerk to confirm').fill('clerk');
    await page.getByRole('button', { name: 'Revoke passport' }).click();
    await page.getByText('The passport is revoked.').waitFor();
    const clerk = await service.passports.get('did:web:shop.example:agents:clerk', ann);
    expect(clerk).toMatchObject({ status: 'revoked', monetary_limit_per_txn: 5, revoked_by: ann.member_id });
    expect(problems).toEqual([]);
  });

  test('a service with people alone shows the overview without sums, and says what it has not', async () => {
    const small = createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      ...{ storage: memoryStorage(), domainProof: 'off' },
      capabilities: [people()],
    });
    closeAfterFile(() => small.close());
    const owner = await small.actorOf(PEOPLE['ann'] as HostLogin);
    const issued = await small.passports.create(BUYER, owner);
    await small.verify({ agent_id: issued.agent_id, action: 'payments.create' }, owner);
    const origin = `http://localhost:${await serve(express().use(hostApp(small, 'lax', PEOPLE)))}`;
    const { page } = await (await openBrowser())(origin);
    await page.goto('/login?as=ann');
    await page.goto('/');
    await page.getByRole('heading', { name: 'Newest denials' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Live verdicts today' }).count()).toBe(0);
    await page.goto('/#/analytics');
    await page.getByText('This service has no analytics.').waitFor();
    await page.goto('/#/webhooks');
    await page.getByText('This service sends no webhooks.').waitFor();
  });

  test('a key is made, rotated and revoked', async () => {
    const { page, problems } = await sit('ann');
    await page.goto('/#/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('till');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await saveSecret(page, /^ais_live_/);
    await page.getByRole('link', { name: 'till' }).click();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await saveSecret(page, /^ais_live_/);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('The key is revoked.').waitFor();
    const { data } = await service.keys.list({}, ann);
    // The old one ends in a day.
    expect(data.map(({ status, created_by }) => [status, created_by])).toEqual([
      ['revoked', ann.member_id],
      ['rotating', ann.member_id],
    ]);
    expect(problems).toEqual([]);
  });

  test('an approver approves one intent and rejects another; spends and verdicts show what came of it', async () => {
    const ids = await Promise.all(
      [200, 300].map(async (amount) => (await pay(amount)).reasons[0]?.['approval_id']),
    );
    const [approved, rejected] = ids.map(String);
    const { page, problems } = await sit('ben');
    await page.goto(`/#/approvals?approval=${approved}`);
    await page.getByRole('button', { name: 'Approve once' }).click();
    await page.getByText('The intent was approved.').waitFor();
    await page.goto(`/#/approvals?approval=${rejected}`);
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('The intent was rejected.').waitFor();
    // An approver is offered no change of a passport, and the API refuses it.
    await page.goto(`/#/passports/${encodeURIComponent(agent_id)}`);
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);

    const { verdict, decision_id, evaluated_at } = await pay(200, approved);
    expect([verdict, (await pay(300, rejected)).verdict]).toEqual(['ALLOW', 'DENY']);
    await page.reload();
    const budget = page.getByRole('row', { name: /paper/ });
    await budget.getByText('200.00').waitFor();
    await budget.getByText('300.00').waitFor();

    await page.goto('/#/verdicts');
    await page.getByRole('button', { name: 'payments.create' }).first().waitFor();
    await page.goto(`/#/verdicts?record=${decision_id}&at=${encodeURIComponent(evaluated_at)}`);
    const detail = page.getByRole('dialog');
    await detail.getByText('ALLOW').first().waitFor();
    const [used] = (await service.approvals.list({ status: 'used' }, ann)).data;
    const ben = await service.actorOf(PEOPLE['ben'] as HostLogin);
    expect(used).toMatchObject({ id: approved, decided_by: ben.member_id });
    expect(problems).toEqual([]);
  });

  test('a verdict that is in the log has its receipt', async () => {
    const { page, problems } = await sit('ben');
    const { decision_id, evaluated_at } = await logged();
    await page.goto(`/#/verdicts?record=${decision_id}&at=${encodeURIComponent(evaluated_at)}`);
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Receipt', exact: true }).click();
    await page.getByRole('button', { name: 'Download the receipt' }).click();
    expect((await download).suggestedFilename()).toBe(`${decision_id}.json`);
    expect(problems).toEqual([]);
  });

  /** Asks until a block is so large that it does not wait for its leaf; one of its verdicts. */
  async function logged(): Promise<VerdictRecord> {
    const reader = { ...BUYER, agent_name: 'reader', allowed_actions: ['orders.list'] };
    const { budgets: _, approval: __, monetary_actions: ___, ...input } = reader;
    const { agent_id: agent } = await service.passports.create(input, ann);
    const intents = Array.from({ length: 100 }, () => ({ agent_id: agent, action: 'orders.list' }));
    for (;;) {
      const all = await Promise.all(Array.from({ length: 25 }, () => service.verifyBatch({ intents }, ann)));
      const record = all[0]?.[0];
      for (let tries = 0; record !== undefined && tries < 50; tries += 1) {
        const { decision_id: id, evaluated_at } = record;
        const receipt = service.verifications.receipt(id, { evaluated_at }, ann);
        if (await receipt.then(Boolean, () => false)) return record;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  test('a webhook is added, tested and removed', async () => {
    const receiver = createServer((request, response) => {
      request.resume();
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    closeAfterFile(async () => void receiver.close());
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`;
    const { page, problems } = await sit('ann');
    await page.goto('/#/webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(url);
    await dialog.getByLabel('verdict.denied').check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await saveSecret(page, /^whsec_/);
    await page.getByRole('link', { name: url }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived.').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove webhook' }).click();
    await page.getByText('There is no webhook yet.').waitFor();
    expect(problems).toEqual([]);
  });

  test('settings lead to members, whom the application manages, and to the audit; then a person signs out', async () => {
    await service.actorOf(PEOPLE['ben'] as HostLogin);
    const { page, problems } = await sit('ann');
    await page.goto('/#/settings');
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('row', { name: /Ann \(you\).*owner.*your application/s }).waitFor();
    await page.getByRole('row', { name: /Ben.*approver.*your application/s }).waitFor();
    expect(await page.getByRole('button', { name: /^(Invite|Change|Leave)/ }).count()).toBe(0);
    await page.goto('/#/audit');
    await page.getByLabel('Change', { exact: true }).selectOption('member.joined');
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toBe('audit.csv');
    for (const id of HOST_IDS) expect(await page.content()).not.toContain(id);
    await page.getByRole('link', { name: 'Sign out' }).click();
    // One page with one button, and no error.
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('no request names the id of a person at the application in its address or its Referer, and none brings a token', () => {
    expect(heard.length).toBeGreaterThan(50);
    for (const request of heard) {
      for (const id of HOST_IDS) expect(request).not.toContain(id);
      expect(request).toMatch(/ undefined undefined$/);
    }
  });
});

/** Reads the secret that is shown once, and closes its dialog. */
async function saveSecret(page: Page, form: RegExp): Promise<void> {
  expect(await page.getByTestId('secret').textContent()).toMatch(form);
  await page.getByLabel('I have saved it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByTestId('secret').waitFor({ state: 'detached' });
}
