/**
 * A resource in a process of its own: `node resource.mjs <JSON>` with `issuers`, `audience`, `keys` and the `url` of a
 * Redis that all its processes share. It demands a permit for each payment, notes its use there, and writes its origin
 * on a line. What it has paid is counted there as well. With `stalls` it never pays: it waits to be killed.
 */
import { createServer } from 'node:http';
import { createClient } from '@keyv/redis';
import express from 'express';
import { requirePermit } from '../../../../dist/express.js';
import { createPermitVerifier } from '../../../../dist/proof.js';

const { issuers, audience, keys, url, stalls } = JSON.parse(process.argv[2]);
const redis = createClient({ url, disableOfflineQueue: true });
redis.on('error', () => {});
await redis.connect();

const once = async (jti, untilMs) => {
  const kept = { condition: 'NX', expiration: { type: 'PXAT', value: untilMs + 60_000 } };
  return (await redis.set(`permit:${jti}`, '', kept)) === 'OK';
};

const verifyPermit = createPermitVerifier({ issuers, audience, keys, once });
const app = express();
app.post(
  '/pay',
  express.json(),
  requirePermit(verifyPermit, ({ body }) => body),
  async (_, response) => {
    if (stalls) return console.log('stalled');
    await redis.incr('paid');
    response.json({ paid: true });
  },
);
const server = createServer(app).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
