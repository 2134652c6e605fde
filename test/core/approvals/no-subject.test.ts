/** The subject of an intent stays in its approval, from which it can be erased. */
import { expect, test } from 'vitest';
import { openLocalService } from '../../support/service.ts';

const SHOPPER = {
  ...{ domain: 'shop.example', agent_name: 'shopper', allowed_actions: ['pay'] },
  ...{ monetary_limit_per_txn: 100, approval: { actions: ['pay'] } },
};

test('the event of an approval has no subject, and the approval has it', async () => {
  const { service } = openLocalService();
  const { agent_id } = await service.passports.create(SHOPPER);
  const stream = await service.events.open({ types: ['approval.*'] });
  const { reasons } = await service.verify({ agent_id, action: 'pay', subject: 'user-4711' });
  const id = reasons[0]?.['approval_id'] as string;
  expect((await service.approvals.get(id)).intent).toMatchObject({ subject: 'user-4711' });
  const events = await stream.read(2_000);
  expect(events).toMatchObject([{ type: 'approval.requested', data: { intent: { action: 'pay' } } }]);
  expect(JSON.stringify(events)).not.toContain('user-4711');
});
