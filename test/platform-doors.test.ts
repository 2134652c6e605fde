import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const cwd = fileURLToPath(new URL('..', import.meta.url));
const { name, exports } = JSON.parse(readFileSync(`${cwd}/package.json`, 'utf8'));
const doors = Object.keys(exports).filter((door) => door !== './package.json');

/** Takes what Bun, Deno and Node have beyond a browser, and imports a door. */
const script = (door: string) => `
  delete process.getBuiltinModule;
  if (process.getBuiltinModule !== undefined) throw new Error('It is still there.');
  await import(${JSON.stringify(door.replace(/^\./, name))});
  console.log('imported');`;

test.each(doors)('%s is imported where the runtime has no process.getBuiltinModule', async (door) => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script(door)], { cwd });
  expect(stdout).toBe('imported\n');
});
