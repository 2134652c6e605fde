import { expect, test } from 'vitest';
import { fetchHandler } from '../../src/http/index.ts';
import { PROBLEMS } from '../../src/http/problem.ts';
import { expectProblem, openApi } from '../support/api.ts';
import { openService, PASSWORD } from '../support/service.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

/** The status of each code of an error. */
const STATUSES = {
  400: ['invalid_json', 'invalid_request', 'token_refused'],
  401: ['unauthenticated', 'invalid_credentials'],
  403: [
    ...['insufficient_scope', 'insufficient_role', 'cross_origin', 'plan_limit_reached', 'domain_unproven'],
    'second_person_required',
  ],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: ['already_exists', 'domain_claimed', 'conflict', 'spend_lapsed'],
  412: ['version_mismatch', 'would_widen'],
  413: ['payload_too_large'],
  431: ['headers_too_large'],
  415: ['unsupported_media_type'],
  422: ['idempotency_mismatch'],
  429: ['rate_limited'],
  500: ['internal'],
  501: ['not_implemented'],
  503: ['storage_unavailable', 'overloaded'],
};

/** Codes that never leave the process they arise in. */
const LOCAL = ['invalid_configuration', 'service_unreachable', 'tool_denied', 'invalid_token'];

test('every code has the status of the contract, and there are no others', () => {
  const ours = Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]);
  const theirs = Object.entries(STATUSES).flatMap(([status, codes]) =>
    codes.map((code) => [code, Number(status)]),
  );
  expect(ours.filter(([code]) => !LOCAL.includes(String(code))).sort()).toEqual(theirs.sort());
});

test('too many logins at once are overloaded, with when to come back', async () => {
  const api = openApi(openService({ rateLimits: 'off' }));
  const json = { email: 'a@b.example', password: PASSWORD };
  const answers = await Promise.all(
    Array.from({ length: 70 }, () => api.ask('POST', '/auth/login', { json })),
  );
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused).toHaveLength(5);
  for (const answer of refused) {
    expectProblem(answer, 503, 'overloaded');
    expect(answer.headers.get('retry-after')).toBe('10');
  }
});

test('an unexpected error is internal: in the log, not in the answer', async () => {
  const broken = () => Promise.reject(new RangeError('the inside of the machine'));
  const opened = openService({ passwordHasher: { hash: broken, verify: broken, verifyNothing: broken } });
  const json = { email: 'a@b.example', password: PASSWORD };
  const answer = await openApi(opened).ask('POST', '/auth/login', {
    json,
    headers: { 'x-request-id': 'r1' },
  });
  expectProblem(answer, 500, 'internal');
  expect(answer.text).not.toMatch(/machine|RangeError/);
  expect(opened.logs).toEqual([
    {
      level: 'error',
      event: 'request_failed',
      message: 'POST /auth/login answered 500.',
      request_id: 'r1',
      code: 'internal',
      cause: 'RangeError: the inside of the machine',
    },
  ]);
});

test('a body that breaks off under the fetch handler is no error of ours', async () => {
  const { opened, key } = await openVerdictStage();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`{"agent_id":"${AGENT}"`)),
    pull: (controller) => controller.error(new Error('gone')),
  });
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const response = await fetchHandler(opened.service)(new Request('http://h/api/verify', init));
  expect([response.status, (await response.json()).code]).toEqual([400, 'invalid_json']);
  expect(opened.logs).toEqual([]);
});
