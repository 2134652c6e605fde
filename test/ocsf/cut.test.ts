import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAdminClient } from '../../src/client.ts';
import { run } from '../support/command.ts';
import { CLI, GIVEN, said, start } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { seedOf, sized } from '../support/runs.ts';
import { ADMIN, serveUsed } from '../support/used-folder.ts';
import { problemsOf } from './validator.ts';

const CUTS = sized(20, 8);
const PASSWORD = GIVEN.AGENT_IDENTITY_PASSWORD;

test(`misses no event in a stream that is cut ${CUTS} times`, { timeout: 60_000 }, async () => {
  const seed = seedOf(20_261_129);
  console.log(`seed ${seed}`);
  const random = createRandom(seed);
  const { folder, serving } = await serveUsed([]);
  const url = `${serving.origin}/api`;
  const admin = createAdminClient({ baseUrl: url, email: ADMIN, password: PASSWORD });
  const { agent_id } = await admin.passports.create({
    domain: 'example.com',
    agent_name: 'shopper',
    allowed_actions: ['orders.*'],
    monetary_limit_per_txn: 10,
  });
  const file = join(folder, 'siem.cursor');
  const args = ['events', 'tail', '--types', 'passport.updated', '--format', 'ocsf', '--cursor-file', file];
  args.push('--email', ADMIN, '--url', url);
  const told = new Set<number>();
  let count = 0;
  let isOver = false;
  const changing = (async () => {
    while (!isOver) {
      count += 1;
      await admin.passports.update(agent_id, { description: `${count}` });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  let copies = 0;
  const tail = async (isEnough: (lines: readonly string[]) => boolean, signal: NodeJS.Signals) => {
    const running = start(process.execPath, [CLI, ...args], { cwd: folder, env: GIVEN });
    // The last line may be cut in the middle.
    const lines = () => running.stdout().split('\n').slice(0, -1);
    await said(running, () => isEnough(lines()) || undefined);
    await new Promise((resolve) => setTimeout(resolve, random() * 300));
    running.child.kill(signal);
    await running.ended;
    for (const line of lines()) {
      const event = JSON.parse(line);
      expect(problemsOf(event)).toEqual([]);
      if (told.has(event.unmapped.version)) copies += 1;
      told.add(event.unmapped.version);
    }
  };
  for (let cut = 0; cut < CUTS; cut += 1) {
    const signal = cut % 4 === 3 ? 'SIGTERM' : 'SIGKILL';
    await tail((lines) => lines.length > 0 && existsSync(file), signal);
    expect(readFileSync(file, 'utf8')).toMatch(/^evt_\w+\n$/);
  }
  isOver = true;
  await changing;
  const last = (await admin.passports.get(agent_id)).version;
  await tail((lines) => lines.some((line) => JSON.parse(line).unmapped.version === last), 'SIGTERM');
  const first = Math.min(...told);
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  console.log(`${all.length} events, ${copies} copies`);
  expect(all.filter((version) => !told.has(version))).toEqual([]);
});

test('refuses a file that holds no id, and one that cannot be made, with exit code 2', async () => {
  const { folder, serving } = await serveUsed([]);
  const tail = (file: string) =>
    run(['events', 'tail', '--cursor-file', file, '--email', ADMIN, '--url', `${serving.origin}/api`], {
      cwd: folder,
      env: GIVEN,
    });
  for (const text of ['', '\n', 'evt_', 'evt_0VcP2z8Tc', 'evt_0VcP2z8TctDgySouf00000007\n\n', '\u0000']) {
    writeFileSync(join(folder, 'bad.cursor'), text);
    expect(await tail('bad.cursor')).toMatchObject({ code: 2, stdout: '' });
    expect(readFileSync(join(folder, 'bad.cursor'), 'utf8')).toBe(text);
  }
  expect(await tail('no/such/folder')).toMatchObject({ code: 2, stdout: '' });
  expect(await tail('.')).toMatchObject({ code: 2, stdout: '' });
});
