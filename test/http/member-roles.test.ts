/** The words for roles over HTTP: exactly the five of the contract, in their case. */
import { expect, test } from 'vitest';
import { firstMemberId } from '../../src/core/shared/people.ts';
import { expectProblem, openApi, signIn } from '../support/api.ts';
import { openService } from '../support/service.ts';
import { dump } from '../support/storage-probe.ts';

test.each<[role: unknown]>([
  ['Owner'],
  ['VIEWER'],
  ['viewer '],
  ['vıewer'],
  ['root'],
  [''],
  [null],
  [4],
  [['owner']],
  [{ owner: true }],
])('the role %j neither invites nor changes a person', async (role) => {
  const opened = openService();
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  const before = await dump(opened.storage);
  const ask = (method: string, path: string) => api.ask(method, path, { token, json: { role } });
  for (const [method, path] of [
    ['POST', '/members'],
    ['PATCH', `/members/${firstMemberId(account_id)}`],
  ] as const) {
    const paths = expectProblem(await ask(method, path), 400, 'invalid_request');
    expect(new Set(paths)).toEqual(new Set(['/role']));
  }
  expect(await dump(opened.storage)).toBe(before);
});
