import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';
import { EVERY_CHANGE, partOf } from '../support/heavy.js';
import quick from '../vitest.config.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const every = readdirSync(`${root}/test`, { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts'));

/** `PART` is `2/5` for the second of five parts. Every part has the files that each change runs. */
const [part = 1, of = 1] = (process.env['PART'] ?? '1/1').split('/').map(Number);

const config: ViteUserConfig = {
  ...quick,
  test: { ...quick.test, include: [...new Set([...EVERY_CHANGE, ...partOf(every, part, of)])] },
};

export default config;
