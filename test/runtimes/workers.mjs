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
const { Miniflare, Response } = await import(pathToFileURL(entry).href);
const worker = new Miniflare({
  modules: true,
  script: readFileSync('worker.bundle.js', 'utf8'),
  // Not later than the release of workerd, or it does not start.
  compatibilityDate: '2026-04-01',
  // No flag for Node: nothing of it is there.
  compatibilityFlags: [],
  outboundService: answer,
});
try {
  const response = await worker.dispatchFetch('http://localhost/');
  if (!response.ok) throw new Error(await response.text());
  console.log(await response.text());
} finally {
  await worker.dispose();
}

/** A service of few words for what the worker asks of the network. */
async function answer(request) {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/api/moved/verify') return Response.redirect('https://elsewhere.example.com/verify', 307);
  if (pathname === '/api/auth/login') return Response.json({ access_token: 'token' });
  if (pathname === '/api/passports') {
    const isLast = searchParams.has('cursor');
    const page = isLast ? { data: ['second'], next_cursor: null } : { data: ['first'], next_cursor: 'more' };
    return Response.json({ ...page, has_more: !isLast });
  }
  const facts = { decision_id: 'dec_1', target: null, amount: null, currency: null, dry_run: false };
  return Response.json({ verdict: 'ALLOW', reasons: [], ...facts, ...(await request.json()) });
}
