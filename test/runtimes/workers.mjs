/**
 * Starts workerd with the bundle of `edge.mjs` and prints what it answers. npx puts the folder into which it has
 * installed miniflare first into PATH.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [bin = ''] = (process.env.PATH ?? '').split(delimiter).filter((path) => path.endsWith('.bin'));
const entry = createRequire(join(bin, 'from-here')).resolve('miniflare');
const { Miniflare } = await import(pathToFileURL(entry).href);
const worker = new Miniflare({
  modules: true,
  script: readFileSync('worker.bundle.js', 'utf8'),
  // Not later than the release of workerd, or it does not start.
  compatibilityDate: '2026-04-01',
  // No flag for Node: nothing of it is there.
  compatibilityFlags: [],
});
try {
  const response = await worker.dispatchFetch('http://localhost/');
  if (!response.ok) throw new Error(await response.text());
  console.log(await response.text());
} finally {
  await worker.dispose();
}
