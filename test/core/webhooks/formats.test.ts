import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { ocsfLine } from '../../../src/ocsf/index.ts';
import { problemsOf } from '../../ocsf/validator.ts';
import { HOST, issue, openWebhooks, type Received } from './stage.ts';

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

function verified(secret: string, { headers, body }: Received): unknown {
  const named = Object.fromEntries(NAMES.map((name) => [name, String(headers[name])]));
  return new Webhook(secret).verify(body, named);
}

test('sends the line of OCSF as the body, and all else as for the event', async () => {
  const stage = await openWebhooks();
  const { service, actor, received, arrived, secrets } = stage;
  const plain = await stage.create(['passport.*'], '/event');
  const input = { url: `https://${HOST}/ocsf`, types: ['passport.*'], format: 'ocsf' } as const;
  const ocsf = await service.webhooks.create(input, actor);
  secrets.add(ocsf.secret);
  expect([plain.format, ocsf.format]).toEqual(['event', 'ocsf']);
  await issue(stage);
  await arrived(2);
  const at = (path: string) => received.find(({ url }) => url === path) as Received;
  const [event, line] = [at('/event'), at('/ocsf')];
  expect(line.body).toBe(ocsfLine(JSON.parse(event.body)));
  expect(problemsOf(JSON.parse(line.body))).toEqual([]);
  expect(verified(ocsf.secret, line)).toMatchObject({ class_uid: 3004, metadata: { uid: event.event.id } });
  expect(verified(plain.secret, event)).toMatchObject({ type: 'passport.created' });
  const same = ['webhook-id', 'content-type', 'user-agent'] as const;
  for (const name of same) expect(line.headers[name]).toBe(event.headers[name]);
});

test('changes the format, sends a test in it, and refuses every other word', async () => {
  const { service, actor, create, received } = await openWebhooks();
  const { id } = await create();
  expect(await service.webhooks.update(id, { format: 'ocsf' }, actor)).toMatchObject({ format: 'ocsf' });
  await service.webhooks.test(id, actor);
  expect(JSON.parse(received.at(-1)?.body ?? '')).toMatchObject({
    class_uid: 0,
    metadata: { event_code: 'webhook.test' },
  });
  expect(problemsOf(JSON.parse(received.at(-1)?.body ?? ''))).toEqual([]);
  for (const format of ['OCSF', '', null, 1, 'constructor'])
    await expect(service.webhooks.update(id, { format: format as 'ocsf' }, actor)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: [{ path: '/format' }] },
    });
  expect(await service.webhooks.update(id, { format: 'event' }, actor)).toMatchObject({ format: 'event' });
});
