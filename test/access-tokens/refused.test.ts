/** Requests that get no token, each one change from a request that gets one. */
import { expect, test } from 'vitest';
import { ACCOUNT, openStage, type Refused } from './refused/ask.ts';
import { DENIED_REQUESTS, REFUSED_FORMS } from './refused/forms.ts';
import { REFUSED_ASSERTIONS, REFUSED_GRANTS, REFUSED_KEYS } from './refused/jwts.ts';

const REFUSED: readonly Refused[] = [
  ...REFUSED_FORMS,
  ...DENIED_REQUESTS,
  ...REFUSED_ASSERTIONS,
  ...REFUSED_KEYS,
  ...REFUSED_GRANTS,
];

test('150 and more requests are refused, each another one', () => {
  expect(REFUSED.length).toBeGreaterThanOrEqual(150);
  const titles = REFUSED.map(({ accepted, name }) => `${accepted} ${name}`);
  expect(new Set(titles).size).toBe(titles.length);
  console.log(`${REFUSED.length} refused requests`);
});

test.each(REFUSED)('refuses a request by $accepted with $name', async (refused) => {
  const { accepted, error, status = 400, isRecorded, change } = refused;
  const stage = await openStage();
  expect((await stage.ask(accepted)).status).toBe(200);
  const made = typeof change === 'function' ? await change(stage) : change;
  const counts = async () => (await stage.service.verifications.list({}, ACCOUNT)).data.length;
  const [before, agents] = [await counts(), await agentsOf(stage.service)];
  stage.sent.length = 0;
  const answer = await stage.ask(accepted, made);
  const body = JSON.parse(answer.text);
  expect([answer.status, body.error, Object.keys(body).length]).toEqual([status, error, isRecorded ? 3 : 2]);
  expect([await counts(), await agentsOf(stage.service)]).toEqual([before + (isRecorded ? 1 : 0), agents]);
  const shown = `${answer.text}${stage.logs.join()}`;
  for (const secret of [...stage.sent, stage.apiKey].filter(
    (text) => text.length > 40 && !text.startsWith('did:'),
  ))
    expect(shown).not.toContain(secret);
});

async function agentsOf(service: Awaited<ReturnType<typeof openStage>>['service']): Promise<number> {
  return (await service.passports.list({ limit: 100 }, ACCOUNT)).data.length;
}
