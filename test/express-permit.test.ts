import express from 'express';
import { expect, test } from 'vitest';
import { requirePermit } from '../adapters/express/index.ts';
import { createPermitVerifier, type PermitAction, rememberOnce } from '../src/tokens/proof/index.ts';
import { listenExpress } from './support/servers.ts';
import { PERMITS, resourceOptions } from './tokens/proof/permits.ts';

const [GOOD] = PERMITS.valid;

async function openShop(
  actionOf: (body: PermitAction) => PermitAction | Promise<PermitAction> = (body) => body,
) {
  const verifyPermit = createPermitVerifier(resourceOptions({ once: rememberOnce() }));
  const paid: unknown[] = [];
  const origin = await listenExpress((app) => {
    app.use(express.json());
    app.post(
      '/payments',
      requirePermit<express.Request>(verifyPermit, ({ body }) => actionOf(body)),
      (request, response) => {
        paid.push(request.permit?.decision_id);
        response.json(request.permit);
      },
    );
    app.use(((error, _request, response, _next) => {
      response.status(500).json({ failed: String(error) });
    }) satisfies express.ErrorRequestHandler);
  });
  const pay = (action: object, headers: HeadersInit = {}) =>
    fetch(`${origin}/payments`, {
      method: 'POST',
      headers: [['content-type', 'application/json'], ...new Headers(headers)],
      body: JSON.stringify(action),
    });
  return { paid, pay };
}

test('accepts a request with a permit for its action once', async () => {
  const { paid, pay } = await openShop();
  const headers = { 'agent-permit': GOOD?.token ?? '' };
  const answer = await pay(PERMITS.deed, headers);
  expect([answer.status, (await answer.json()).agent_id]).toEqual([
    200,
    'did:web:example.com:agents:shopper',
  ]);
  const again = await pay(PERMITS.deed, headers);
  expect([again.status, (await again.json()).problem]).toEqual([401, 'used']);
  expect(paid).toEqual(['dec_5nWq8ZrT2yLkXc0BvH0000s4Ge']);
});

test('a request without one gets 401 and a problem document', async () => {
  const { paid, pay } = await openShop();
  const answer = await pay(PERMITS.deed);
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Agent-Permit');
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toEqual({
    type: 'urn:agent-identity-service:problem:invalid_token',
    title: 'The permit is not valid',
    status: 401,
    detail: expect.stringContaining('It is not a compact JWS'),
    code: 'invalid_token',
    problem: 'malformed',
  });
  const headers = new Headers({ 'agent-permit': GOOD?.token ?? '' });
  headers.append('agent-permit', GOOD?.token ?? '');
  expect((await (await pay(PERMITS.deed, headers)).json()).problem).toBe('malformed');
  const other = await pay({ ...PERMITS.deed, amount: '129.91' }, { 'agent-permit': GOOD?.token ?? '' });
  expect((await other.json()).problem).toBe('deed');
  expect(paid).toEqual([]);
});

test('passes an error of the application on', async () => {
  const { paid, pay } = await openShop(() => {
    throw new TypeError('no such order');
  });
  const answer = await pay(PERMITS.deed, { 'agent-permit': GOOD?.token ?? '' });
  expect([answer.status, await answer.json()]).toEqual([500, { failed: 'TypeError: no such order' }]);
  expect(paid).toEqual([]);
});
