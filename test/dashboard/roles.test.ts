/** The dashboard offers to each role what the table of endpoints lets it call. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/http/index.ts';
import type { Role } from '../../src/types.ts';
import { nightly } from '../support/runs.ts';
import { enter, hasChromium, type Joined, join, openStage, type Stage } from './browser.ts';

const SHOTS = process.env['SHOTS'];
const PASSPORT = {
  ...{ domain: 'shop.example', allowed_actions: ['payments.create'], monetary_limit_per_txn: 10 },
  approval: { actions: ['payments.create'] },
};

/** The roles that are tried. The owner shows that each button is there, and is found by its name. */
const TRIED = (['viewer', 'approver', 'owner', 'editor', 'admin'] as const).slice(0, nightly(5, 3));

/** The buttons and links of a page, each with the endpoint that it needs. */
type Offers = Readonly<Record<string, string>>;

/** The roles of an endpoint, from the table. */
function rolesOf(name: string): readonly string[] {
  const found = endpoints.find(({ method, path }) => `${method} ${path}` === name);
  if (found?.role === undefined) throw new Error(`There is no ${name} with roles.`);
  return found.role;
}

describe.runIf(hasChromium)('the pages of an account', () => {
  let stage: Stage;
  let places: Readonly<Record<string, Offers>>;
  const people = new Map<Role, Joined>();

  /** Calls the API as a member. */
  async function as<Answer>(role: Role, method: string, path: string, body?: object): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${people.get(role)?.token}`,
      'content-type': 'application/json',
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await fetch(`${stage.server.origin}/api${path}`, init)).json() as Promise<Answer>;
  }

  beforeAll(async () => {
    stage = await openStage(['--allow-localhost']);
    const { api } = stage;
    for (const role of TRIED) people.set(role, await join(stage, role));
    const create = async (agent_name: string, others: object = {}) => {
      const { agent_id } = await api<{ agent_id: string }>('POST', '/passports', {
        ...{ ...PASSPORT, agent_name },
        ...others,
      });
      return encodeURIComponent(agent_id);
    };
    const active = await create('active');
    const suspended = await create('suspended');
    await api('POST', '/suspend', { agent_id: decodeURIComponent(suspended) });
    const bound = await create('bound', { approval: { changes: true } });
    const key = await api<{ id: string; key: string }>('POST', '/keys', { name: 'till' });
    // Nothing listens there: the delivery of a test has failed at once.
    const hook = { url: 'http://127.0.0.1:9/in', types: ['key.*'] };
    const webhook = await api<{ id: string }>('POST', '/webhooks', hook);
    await api('POST', `/webhooks/${webhook.id}/test`);
    await fetch(`${stage.server.origin}/api/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key.key },
      body: JSON.stringify({ agent_id: decodeURIComponent(active), action: 'payments.create' }),
    });
    const { data } = await api<{ data: { id: string }[] }>('GET', '/approvals?status=pending');
    const wider = { monetary_limit_per_txn: 20 };
    const refused = await as<{ approval_id: string }>('owner', 'PATCH', `/passports/${bound}`, wider);
    await as('approver', 'POST', `/approvals/${refused.approval_id}/approve`);
    places = {
      passports: { 'Issue passport': 'POST /passports' },
      'passports/new': { 'Issue passport': 'POST /passports' },
      [`passports/${active}`]: {
        ...{ Edit: 'PATCH /passports/{agent_id}', Suspend: 'POST /suspend', Revoke: 'POST /revoke' },
        ...{ 'Issue a child agent': 'POST /passports', 'Try it': 'POST /passports/{agent_id}/try' },
      },
      [`passports/${suspended}`]: { Reinstate: 'POST /reinstate' },
      [`passports/${active}/edit`]: {
        ...{ Save: 'PATCH /passports/{agent_id}', 'Ask for a verdict': 'POST /passports/{agent_id}/try' },
        'Find unused entries': 'POST /passports/{agent_id}/replay',
      },
      keys: { 'Create key': 'POST /keys' },
      [`keys/${key.id}`]: {
        Rotate: 'POST /keys/{id}/rotate',
        ...{ Change: 'PATCH /keys/{id}', Revoke: 'DELETE /keys/{id}' },
      },
      webhooks: { 'Add webhook': 'POST /webhooks' },
      [`webhooks/${webhook.id}`]: {
        ...{ Change: 'PATCH /webhooks/{id}', Disable: 'PATCH /webhooks/{id}' },
        ...{ 'Rotate secret': 'POST /webhooks/{id}/rotate', Remove: 'DELETE /webhooks/{id}' },
        'Send a test': 'POST /webhooks/{id}/test',
        'Resend webhook.test': 'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver',
      },
      [`approvals?approval=${data[0]?.id}`]: {
        'Approve once': 'POST /approvals/{id}/approve',
        Reject: 'POST /approvals/{id}/reject',
      },
      [`approvals?status=approved&approval=${refused.approval_id}`]: {
        'Apply the change': 'PATCH /passports/{agent_id}',
      },
      settings: {
        ...{ 'Prove domain': 'POST /domains', Prove: 'POST /domains', 'Give up': 'DELETE /domains/{domain}' },
        ...{ 'Delete the account': 'DELETE /account', 'Sign out everywhere': 'POST /auth/logout' },
      },
      members: { 'Invite a person': 'POST /members' },
    };
  });

  /** The names of these buttons and links that the page shows. */
  async function shown(page: Page, offers: Offers): Promise<readonly string[]> {
    const main = page.locator('#main');
    const found: string[] = [];
    for (const name of Object.keys(offers)) {
      const one = main.getByRole('button', { name, exact: true });
      const count = await one.or(main.getByRole('link', { name, exact: true })).count();
      if (count > 0) found.push(name);
    }
    return found;
  }

  test.each(TRIED)(
    'a person of the role %s sees the buttons of its endpoints, and no other one',
    async (role) => {
      const { page, problems } = await stage.open();
      const who = people.get(role);
      if (who !== undefined) await enter(page, who);
      // Nothing is offered before the role is known.
      const known = page.waitForResponse(/\/api\/account$/);
      await page.goto('/#/verdicts');
      await known;
      for (const [place, offers] of Object.entries(places)) {
        await page.goto(`/#/${place}`);
        await expect.poll(() => page.locator('#main .loading').count()).toBe(0);
        const mine = Object.keys(offers).filter((name) => rolesOf(offers[name] ?? '').includes(role));
        await expect.poll(() => shown(page, offers), { message: `${place} for ${role}` }).toEqual(mine);
        if (SHOTS !== undefined)
          await page.screenshot({
            path: `${SHOTS}/${role}-${place.replaceAll(/[^a-z]+/g, '-').slice(0, 40)}.png`,
          });
      }
      expect(problems).toEqual([]);
    },
  );
});
