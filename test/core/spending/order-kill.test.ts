/** Clients retry under two rules that forbid each other while their nodes are killed: no session has both actions. */
import { expect, test } from 'vitest';
import type { VerdictRecord } from '../../../src/records.ts';
import { survivingStores } from '../../support/kills.ts';
import { KILLS, openKilling, workUnderKills } from './killing.ts';
import { rememberedIn } from './stored.ts';

const FIRST = { read: 'mail', mail: 'read' } as const;
type Action = keyof typeof FIRST;

const MAILER = {
  domain: 'mail.example',
  agent_name: 'mailer',
  allowed_actions: ['mail', 'read'],
  monetary_limit_per_txn: 0,
  order: [
    {
      name: 'no-mail',
      actions: ['mail'],
      forbids: { actions: ['read'], seconds: 86_400 },
      same: ['session'],
    },
    {
      name: 'no-read',
      actions: ['read'],
      forbids: { actions: ['mail'], seconds: 86_400 },
      same: ['session'],
    },
  ],
};

test.each(survivingStores())(
  `on %s no session has both actions over ${KILLS} kill -9, and every mark lasts`,
  { timeout: 900_000 },
  async (name, make) => {
    const killing = await openKilling(make, MAILER);
    const { storage, service, agent_id, nodes } = killing;
    /** The verdicts that a killed node had stored under a key, and answered to no client. */
    const firsts = new Map<string, string>();

    async function ask(action: Action, session: string): Promise<VerdictRecord> {
      const key = `${action}-${session}`;
      async function look(): Promise<void> {
        const stored = await rememberedIn(storage, key);
        if (stored !== undefined) firsts.set(key, stored.object_id);
      }
      const asked = [{ agent_id, action, session }, { idempotencyKey: key }];
      return (await nodes.untilAnswered('verify', asked, look)) as VerdictRecord;
    }

    const sessions = await workUnderKills(name, killing, firsts, async (index) => {
      const session = `s${index}`;
      const records = await Promise.all([ask('read', session), ask('mail', session)]);
      return { session, allowed: records.filter(({ verdict }) => verdict === 'ALLOW') };
    });
    for (const { session, allowed } of sessions) {
      expect(allowed.length, session).toBeLessThan(2);
      const [record] = allowed;
      if (record === undefined) continue;
      const key = `${record.action}-${session}`;
      expect(firsts.get(key) ?? record.decision_id).toBe(record.decision_id);
      const other = FIRST[record.action as Action];
      const { reasons } = await service.verify({ agent_id, action: other, session });
      expect(reasons, session).toMatchObject([{ code: 'order_forbidden' }]);
    }
    expect(firsts.size).toBeGreaterThan(0);
    expect(sessions.filter(({ allowed }) => allowed.length === 1).length).toBeGreaterThan(
      sessions.length / 2,
    );
  },
);
