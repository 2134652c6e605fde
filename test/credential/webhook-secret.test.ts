import { expect, test } from 'vitest';
import {
  newWebhookSecret,
  publicSignature,
  signedContent,
  webhookSignature,
} from '../../src/credential/webhook-secret.ts';

test('a secret is 32 random bytes: whsec_ and base64 with padding for the receiver, base64url for the storage', () => {
  const bytes = (length: number) => new Uint8Array(length).fill(251);
  expect(newWebhookSecret({ bytes })).toEqual({
    secret: `whsec_${'+/v7'.repeat(10)}+/s=`,
    k: `${'-_v7'.repeat(10)}-_s`,
  });
});

test('a message is signed as the example of Standard Webhooks is', async () => {
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };
  const signature = await webhookSignature(secret, signedContent(message));
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('a public signature is v1a and base64 with padding', () => {
  expect(publicSignature(new Uint8Array(64).fill(255))).toBe(`v1a,${'/'.repeat(85)}w==`);
});
