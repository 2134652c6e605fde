import { beforeAll, describe, expect, test } from 'vitest';
import { type BothWays, openBothWays, recordOf, WAYS } from '../support/both-ways.ts';
import { run } from '../support/command.ts';
import { GIVEN } from '../support/process.ts';
import { ADMIN } from '../support/used-folder.ts';

/** No event of these types happens, so that nothing is sent. */
const TYPES = ['domain.claimed'];

const { AGENT_IDENTITY_SECRET } = GIVEN;
let both: BothWays;

beforeAll(async () => {
  both = await openBothWays();
});

describe.each(WAYS)('over --%s', (way) => {
  // On the storage itself the secrets of webhooks are encrypted with the secret of the service.
  const call = (args: readonly string[]) =>
    way === 'url'
      ? both.url(args)
      : run([...args, '--account', ADMIN], { cwd: both.folder, env: { AGENT_IDENTITY_SECRET } });
  const record = (...args: readonly string[]) => recordOf(call, ['webhook', ...args]);

  test('webhook update changes what is named and leaves the rest', async () => {
    const url = 'https://hooks.example.com/in';
    const made = await record('create', url, '--types', ...TYPES, '--description', 'shop');
    const { secret: _, updated_at: __, ...shown } = made;
    const id = `${made['id']}`;
    const moved = 'https://hooks.example.com:8443/in';
    expect(await record('update', id, '--new-url', moved)).toMatchObject({ ...shown, url: moved });
    const types = ['key.*', 'domain.claimed'];
    expect(await record('update', id, '--types', ...types, '--no-description')).toMatchObject({
      ...shown,
      ...{ url: moved, types, description: null },
    });
    expect(await record('update', id, '--status', 'disabled')).toMatchObject({
      ...{ url: moved, types, status: 'disabled', disabled_reason: 'account' },
    });
    const active = await record('update', id, '--status', 'active', '--description', 'till');
    expect(active).toMatchObject({ status: 'active', disabled_reason: null, description: 'till' });
    expect(await record('show', id)).toEqual(active);
    const table = await call(['webhook', 'update', id, '--description', 'desk']);
    expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/^description +desk$/m) });
    expect(await record('delete', id)).toEqual({ id });
  });

  test('webhook update without a change, with an invalid one, and of no webhook fails', async () => {
    const made = await record('create', 'https://hooks.example.com/', '--types', ...TYPES);
    const update = (...args: readonly string[]) => call(['webhook', 'update', ...args]);
    const id = `${made['id']}`;
    expect(await update(id)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('Name what to change: --new-url'),
    });
    for (const [wrong, said] of [
      [['--new-url', 'http://hooks.example.com/'], 'https'],
      [['--new-url', 'https://10.0.0.1/'], 'not on the public Internet'],
      [['--types', 'passport.sold'], 'types'],
      [['--status', 'gone'], 'active, disabled'],
    ] as const) {
      expect(await update(id, ...wrong)).toMatchObject({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringContaining(said),
      });
    }
    expect(await update('whk_0', '--status', 'active')).toMatchObject({ code: 1, stdout: '' });
    expect(await record('delete', id)).toEqual({ id });
  });
});
