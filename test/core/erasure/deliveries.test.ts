import { expect, test } from 'vitest';
import { issue, openWebhooks } from '../webhooks/stage.ts';

test('a purge takes away what waits to be sent of the agent, and ends where webhooks were told', async () => {
  const stage = await openWebhooks();
  const { service, actor, create, arrived, storage, timers } = stage;
  stage.answer = (_, response) => void response.writeHead(500).end();
  const { id } = await create(['passport.*', 'verdict.denied']);
  const { agent_id } = await issue(stage);
  const other = await issue(stage, 'other');
  await service.verify({ agent_id, action: 'an.other' }, actor);
  await service.revoke({ agent_id }, actor);
  await expect
    .poll(async () => {
      await timers.pass(1_000);
      return (await service.webhooks.deliveries(id, {}, actor)).data
        .map(({ event_type }) => event_type)
        .sort();
    })
    .toEqual(['passport.created', 'passport.created', 'passport.revoked', 'verdict.denied']);
  await arrived(4);
  await service.passports.purge(agent_id, actor);
  let isOver = false;
  const running = service.erasures.run().finally(() => {
    isOver = true;
  });
  while (!isOver) await timers.pass(1_000);
  await running;
  const left = await storage.list('webhook_deliveries', { where: { webhook_id: id }, limit: 100 });
  const events = await storage.list('events', { where: { account_id: actor.account_id }, limit: 100 });
  expect(left.map(({ event_type }) => event_type).sort()).toEqual(['passport.created', 'passport.purged']);
  const told = events.filter(({ type }) => String(type).startsWith('passport.'));
  expect(told.map(({ type, data }) => [type, data])).toEqual([
    ['passport.purged', { agent_id, changed_by: actor.account_id }],
    ['passport.created', expect.objectContaining({ agent_id: other.agent_id })],
  ]);
  // The webhook is told of the purge with what is stored, though the versions of the passport are gone.
  stage.answer = (_, response) => void response.writeHead(204).end();
  const before = stage.received.length;
  await expect
    .poll(async () => {
      await timers.pass(60_000);
      return stage.received.slice(before).map(({ body }) => JSON.parse(body).type);
    })
    .toContain('passport.purged');
});
