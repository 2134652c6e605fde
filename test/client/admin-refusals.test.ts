import { describe, expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { AGENT } from '../support/verdict-stage.ts';

describe('what is no answer of the API is refused', () => {
  test.each<[string, unknown]>([
    ['nothing', {}],
    ['a text', '"x"'],
    ['a page without data', { has_more: false, next_cursor: null }],
    ['a page that never ends', { data: [], has_more: true, next_cursor: null }],
  ])('%s', async (_, body) => {
    const answers = [Response.json(body), Response.json(body), Response.json(body, { status: 201 })];
    const fetch = async () => answers.shift() ?? Response.json(body);
    const admin = createAdminClient({ baseUrl: 'http://h/api', accessToken: 'x', fetch });
    for (const call of [
      () => admin.passports.list(),
      () => admin.account(),
      () => admin.keys.create({ name: 'x' }),
      () => admin.revoke({ agent_id: AGENT }),
      () => admin.verifications.csv(),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'service_unreachable' });
    }
  });
});

test.each<[object, RegExp]>([
  [{}, /email is missing/],
  [{ email: 'ada@example.com' }, /password is missing/],
  [{ email: 'ada@example.com', password: '' }, /password is missing/],
  [{ email: 'ada@example.com', password: 'hunter2', accessToken: 'x' }, /accessToken stands for/],
  [{ accessToken: 'hunter2\n' }, /accessToken is not an access token/],
  [{ accesToken: 'x' }, /Did you mean accessToken/],
])('%j is refused at once, unshown', (options, says) => {
  const open = () => createAdminClient({ baseUrl: 'http://h/api', ...options } as never);
  expect(open).toThrow(says);
  expect(open).not.toThrow(/hunter2/);
});
