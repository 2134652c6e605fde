import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { newFolder } from '../storage/folder.ts';
import { recordsIn as storedIn } from '../support/journal.ts';

const dist = pathToFileURL(join(import.meta.dirname, '../../dist/')).href;

/** A program that asks for verdicts and then just ends, on a storage that is made of `storage`. */
function run(
  file: string,
  end: string,
  rest = '',
): { readonly status: number | null; readonly stderr: string } {
  const program = `
    import { createIdentityService } from '${dist}index.js';
    import { sqliteStorage } from '${dist}storage/sql.js';
    const storage = await sqliteStorage({ file: ${JSON.stringify(file)} });
    ${rest}
    const service = createIdentityService({ storage, log: (event) => console.error(event.event) });
    for (let at = 0; at < 600; at += 1) await service.verify({ agent_id: 'did:web:a.example:agents:a', action: 'a' });
    ${end}`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status: ended.status, stderr: ended.stderr };
}

async function recordsIn(file: string): Promise<number> {
  const storage = await sqliteStorage({ file });
  const records = await storedIn(storage, 'acc_local');
  await storage.close();
  return records.length;
}

test.each([
  ['just ends', ''],
  ['closes the service', 'await service.close();'],
  ['disposes of the service', 'await service[Symbol.asyncDispose]();'],
])('a process that %s has stored every record', async (_, end) => {
  const file = join(newFolder(), 'agents.db');
  expect(run(file, end)).toEqual({ status: 0, stderr: '' });
  expect(await recordsIn(file)).toBe(600);
});

test('a process whose storage takes no records ends all the same', () => {
  const file = join(newFolder(), 'agents.db');
  const { status, stderr } = run(
    file,
    '',
    `storage.journal.file = async () => { throw new Error('disk full'); };`,
  );
  expect(status).toBe(0);
  expect(stderr).toContain('journal_stuck');
});
