import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const cwd = fileURLToPath(new URL('..', import.meta.url));
const { name, exports } = JSON.parse(readFileSync(`${cwd}/package.json`, 'utf8'));
const entryPoints = Object.keys(exports).filter((entryPoint) => entryPoint !== './package.json');

/** Removes what Bun, Deno and Node have beyond a browser, and imports an entry point. */
const script = (entryPoint: string) => `
  delete process.getBuiltinModule;
  if (process.getBuiltinModule !== undefined) throw new Error('It is still there.');
  await import(${JSON.stringify(entryPoint.replace(/^\./, name))});
  console.log('imported');`;

test.each(entryPoints)('imports %s if the runtime has no process.getBuiltinModule', async (entryPoint) => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script(entryPoint)], {
    cwd,
  });
  expect(stdout).toBe('imported\n');
});
