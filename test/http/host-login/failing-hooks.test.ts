import { describe, expect, test } from 'vitest';
import type { Authenticate } from '../../../src/http/index.ts';
import type { HostLogin } from '../../../src/records.ts';
import { PASSPORT } from '../../support/api.ts';
import { ANN, failuresOf, hosted } from '../../support/host.ts';
import { openLocalService } from '../../support/service.ts';
import { dump } from '../../support/storage-probe.ts';

describe('a hook that fails serves no request', () => {
  const SECRET = 'org-secret';
  const moving = () => {
    let reads = 0;
    return Object.defineProperty({ account: 'org-1', member: 'user-1' }, 'role', {
      enumerable: true,
      get: () => {
        reads += 1;
        return reads === 1 ? 'viewer' : 'owner';
      },
    });
  };

  test.each<[what: string, answer: () => unknown, field: string]>([
    [
      'throws',
      () => {
        throw new Error(SECRET);
      },
      'authenticate',
    ],
    ['rejects', () => Promise.reject(new TypeError(SECRET)), 'authenticate'],
    ['answers a number', () => 7, 'authenticate'],
    ['answers a text', () => SECRET, 'authenticate'],
    ['answers false', () => false, 'authenticate'],
    ['answers a list', () => [ANN], 'authenticate'],
    ['answers a function', () => () => ANN, 'authenticate'],
    ['answers a Proxy', () => new Proxy({ ...ANN }, {}), 'authenticate'],
    [
      'answers a Proxy that throws',
      () => new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : fail()) }),
      'authenticate',
    ],
    [
      'answers a thenable that throws',
      () => Object.defineProperty({}, 'then', { get: fail }),
      'authenticate',
    ],
    ['answers nothing of a person', () => ({}), 'member, role, account'],
    ['names no account', () => ({ member: 'm', role: 'owner' }), 'account'],
    ['names both ids', () => ({ ...ANN, account_id: 'acc_1' }), 'account'],
    ['names no member', () => ({ account: SECRET, role: 'owner' }), 'member'],
    ['names no role', () => ({ account: SECRET, member: 'm' }), 'role'],
    ['has an undefined role', () => ({ ...ANN, role: undefined }), 'role'],
    ['has a role of its own', () => ({ ...ANN, role: 'root' }), 'role'],
    ['has a role in other case', () => ({ ...ANN, role: 'Owner' }), 'role'],
    ['has roles', () => ({ ...ANN, role: ['owner'] }), 'role'],
    ['has an empty account', () => ({ ...ANN, account: '' }), 'account'],
    ['has a long account', () => ({ ...ANN, account: 'a'.repeat(129) }), 'account'],
    ['has an account with a space', () => ({ ...ANN, account: 'org 1' }), 'account'],
    ['has an account with a line break', () => ({ ...ANN, account: 'org\n1' }), 'account'],
    ['has a number as account', () => ({ ...ANN, account: 1 }), 'account'],
    ['has an empty member', () => ({ ...ANN, member: '' }), 'member'],
    ['has a number as member', () => ({ ...ANN, member: 42 }), 'member'],
    ['has a member beyond ASCII', () => ({ ...ANN, member: 'jürgen' }), 'member'],
    ['has an empty name', () => ({ ...ANN, name: '' }), 'name'],
    ['has a long name', () => ({ ...ANN, name: 'a'.repeat(101) }), 'name'],
    ['has a name that not every storage keeps', () => ({ ...ANN, name: 'a\0' }), 'name'],
    ['has a name that turns text around', () => ({ ...ANN, name: 'ann\u202enimda' }), 'name'],
    ['has an account name with a mark', () => ({ ...ANN, account_name: 'Org\u200f' }), 'account_name'],
    ['has no e-mail in email', () => ({ ...ANN, email: SECRET }), 'email'],
    ['has an empty name of the account', () => ({ ...ANN, account_name: '' }), 'account_name'],
    ['has a field of its own', () => ({ ...ANN, [SECRET]: true }), 'authenticate'],
    ['has a text object', () => ({ ...ANN, member: new String('user-1') }), 'authenticate'],
  ])('that %s', async (_, answer, field) => {
    const opened = openLocalService();
    const before = await dump(opened.storage);
    const call = hosted(opened, answer as Authenticate<Request>);
    expect(await call('GET', '/account')).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(await dump(opened.storage)).toBe(before);
    expect(opened.logs).toMatchObject([{ event: 'host_login_failed', level: 'error', field }]);
    expect(JSON.stringify(opened.logs)).not.toMatch(/org-|user-1|Error/);
  });

  test('each field is read once', async () => {
    const opened = openLocalService();
    const call = hosted(opened, moving as unknown as Authenticate<Request>);
    expect((await call('POST', '/passports', { json: PASSPORT })).status).toBe(403);
  });

  test('that hangs is 503 by the deadline, and what it says later makes no record', async () => {
    const opened = openLocalService({ storageDeadlineMs: 30 });
    let answer = (_: HostLogin): void => {};
    const call = hosted(
      opened,
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const before = await dump(opened.storage);
    expect(await call('GET', '/account')).toMatchObject({
      status: 503,
      body: { code: 'storage_unavailable' },
    });
    answer(ANN);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await dump(opened.storage)).toBe(before);
    expect(failuresOf(opened)).toMatchObject([{ field: 'authenticate', reason: 'late' }]);
  });
});

function fail(): never {
  throw new Error('org-secret');
}
