/** Receives approvals by webhook. Each request is verified according to Standard Webhooks 1.0. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const MAX_BYTES = 1_000_000;

/** Returns the event of a request. Throws if the request is forged, or older than five minutes. */
function verified(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const hmac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  const expected = Buffer.from(`v1,${hmac}`);
  const isGenuine = (one) => one.length === expected.length && timingSafeEqual(one, expected);
  const isNew = Math.abs(Date.now() / 1_000 - Number(at)) <= 300;
  const given = signatures.split(' ').map((one) => Buffer.from(one));
  if (isNew && given.some(isGenuine)) return JSON.parse(body);
  throw new Error('A request is forged, or too old.');
}

/** Listens, and calls `post` with each approval. After an error, the service sends the event again. */
export function receive(post) {
  const { WEBHOOK_SECRET = '', PORT = '8080' } = process.env;
  if (!WEBHOOK_SECRET.startsWith('whsec_'))
    throw new Error('Set WEBHOOK_SECRET to the secret of the webhook.');
  const server = createServer(async (request, response) => {
    try {
      const { headers } = request;
      if (!(Number(headers['content-length']) < MAX_BYTES)) throw new Error('A request is too long.');
      const { type, data } = verified(WEBHOOK_SECRET, headers, await text(request));
      if (type === 'approval.requested') await post(data);
      response.writeHead(204).end();
    } catch ({ message }) {
      console.error(message);
      response.writeHead(500).end();
    }
  });
  server.listen(Number(PORT), () => console.log('Listening on port', Object(server.address()).port));
}
