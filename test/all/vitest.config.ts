import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';
import { EVERY_CHANGE } from '../support/heavy.js';
import { HEAVY } from '../support/heavy-files.js';
import quick from '../vitest.config.js';
import { partsOf } from './parts.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const every = readdirSync(`${root}/test`, { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts'));

/** `npm test` runs the other files, and nothing in them is larger for a commit. */
function isLarger(file: string): boolean {
  return HEAVY.includes(file) || readFileSync(`${root}/${file}`, 'utf8').includes('support/runs.ts');
}

/** `PART` is the number of a part; without it all files run. Every part has the files that each change runs. */
function include(): string[] {
  const files = process.env['TEST_SIZE'] === 'commit' ? every.filter(isLarger) : every;
  const part = process.env['PART'];
  if (part === undefined) return files;
  const others = files.filter((file) => !EVERY_CHANGE.includes(file));
  return [...EVERY_CHANGE, ...(partsOf(others)[Number(part) - 1]?.files ?? [])];
}

const config: ViteUserConfig = { ...quick, test: { ...quick.test, include: include() } };

export default config;
