import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../../src/http/index.ts';
import { believing } from '../oidc/stage.ts';
import { openApi } from '../support/api.ts';
import type { OpenApi } from '../support/openapi.ts';
import { openService } from '../support/service.ts';

/** The endpoints that are promised: none may be missing, and no other be there. */
const ENDPOINTS = [
  'DELETE /account',
  'DELETE /domains/{domain}',
  'DELETE /keys/{id}',
  'DELETE /members/{id}',
  'DELETE /members/{id}/sessions',
  'DELETE /passports/{agent_id}',
  'DELETE /webhooks/{id}',
  'GET /account',
  'GET /analytics',
  'GET /approvals',
  'GET /approvals/{id}',
  'GET /audit',
  'GET /domains',
  'GET /events',
  'GET /health/live',
  'GET /health/ready',
  'GET /issuers/{domain}/jwks.json',
  'GET /jwks.json',
  'GET /keys',
  'GET /keys/{id}',
  'GET /log',
  'GET /log/entries',
  'GET /logs/{log_id}/checkpoint',
  'GET /logs/{log_id}/tile/{level}/{place}',
  'GET /members',
  'GET /openapi.json',
  'GET /passports',
  'GET /passports/{agent_id}',
  'GET /passports/{agent_id}/budgets',
  'GET /passports/{agent_id}/effective',
  'GET /passports/{agent_id}/versions',
  'GET /spends/{decision_id}',
  'GET /status/{list_id}',
  'GET /verifications',
  'GET /verifications/{decision_id}/receipt',
  'GET /webhooks',
  'GET /webhooks/{id}',
  'GET /webhooks/{id}/deliveries',
  'PATCH /keys/{id}',
  'PATCH /members/{id}',
  'PATCH /passports/{agent_id}',
  'PATCH /webhooks/{id}',
  'POST /access/v1/evaluation',
  'POST /access/v1/evaluations',
  'POST /approvals/{id}/approve',
  'POST /approvals/{id}/reject',
  'POST /auth/accept',
  'POST /auth/link',
  'POST /auth/login',
  'POST /auth/logout',
  'POST /auth/oidc/finish',
  'POST /auth/oidc/start',
  'POST /auth/password',
  'POST /domains',
  'POST /domains/{domain}/check',
  'POST /issuers/{domain}/introspect',
  'POST /issuers/{domain}/token',
  'POST /keys',
  'POST /keys/{id}/rotate',
  'POST /members',
  'POST /members/{id}/link',
  'POST /passports',
  'POST /passports/{agent_id}/replay',
  'POST /passports/{agent_id}/sign',
  'POST /passports/{agent_id}/try',
  'POST /reinstate',
  'POST /revoke',
  'POST /spends/{decision_id}/commit',
  'POST /spends/{decision_id}/extend',
  'POST /spends/{decision_id}/release',
  'POST /subjects/erase',
  'POST /suspend',
  'POST /verifications/outcomes',
  'POST /verifier/passports',
  'POST /verifier/verdicts',
  'POST /verify',
  'POST /verify/batch',
  'POST /webhooks',
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver',
  'POST /webhooks/{id}/rotate',
  'POST /webhooks/{id}/test',
];

async function documentOf(registration: 'open' | 'closed'): Promise<OpenApi> {
  const options = { registration, authzen: {}, oidc: { provider: believing }, accessTokens: {} } as const;
  const answer = await openApi(openService(options)).ask('GET', '/openapi.json');
  return JSON.parse(answer.text);
}

function listed({ paths }: OpenApi): string[] {
  return Object.entries(paths)
    .flatMap(([path, operations]) => Object.keys(operations).map((name) => `${name.toUpperCase()} ${path}`))
    .sort();
}

describe('openapi.json', () => {
  test.each(['open', 'closed'] as const)(
    'is valid OpenAPI 3.1 when registration is %s',
    async (registration) => {
      const document = await documentOf(registration);
      const validator = new Validator();
      const { valid, errors } = await validator.validate(document as never);
      expect(errors).toBeUndefined();
      expect(valid).toBe(true);
      expect(validator.version).toBe('3.1');
    },
  );

  test('lists every endpoint of the contract and nothing else', async () => {
    expect(listed(await documentOf('closed'))).toEqual(ENDPOINTS);
    expect(listed(await documentOf('open'))).toEqual([...ENDPOINTS, 'POST /auth/register'].sort());
  });

  test('lists only what is served, and everything that is', async () => {
    for (const registration of ['open', 'closed'] as const) {
      const opened = openService({
        registration,
        authzen: {},
        oidc: { provider: believing },
        accessTokens: {},
      });
      const api = openApi(opened);
      for (const endpoint of listed(await documentOf(registration))) {
        const [method = '', path = ''] = endpoint.split(' ');
        const answer = await api.ask(method, path.replaceAll(/\{\w+\}/g, 'x'));
        // Of what anyone may read no answer but 404 says that there is no such thing.
        if (path === '/status/{list_id}') expect(answer.text).toContain('There is no status list');
        else if (path === '/issuers/{domain}/jwks.json') expect(answer.text).toContain('There is no issuer');
        else if (path.startsWith('/logs/')) expect(answer.text).toMatch(/There is no (?:log|tile)/);
        else expect([404, 405], endpoint).not.toContain(answer.status);
      }
    }
    const closed = await openApi(openService()).ask('POST', '/auth/register', { json: {} });
    expect(closed.status).toBe(404);
  });

  test('gives every operation an id of its own, a tag, and the credential it takes', async () => {
    const { paths } = await documentOf('open');
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId } of operations) expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(paths['/verify']?.['post']?.security).toEqual([{ key: [] }]);
    expect(paths['/revoke']?.['post']?.security).toEqual([{ session: [] }, { key: [] }]);
    expect(paths['/passports']?.['post']?.security).toEqual([{ session: [] }, { key: [] }]);
    expect(paths['/members']?.['post']?.security).toEqual([{ session: [] }]);
    expect(paths['/auth/login']?.['post']?.security).toEqual([]);
  });

  test('names both types that a merge patch may have', async () => {
    const { paths } = await documentOf('closed');
    const content = paths['/passports/{agent_id}']?.['patch']?.requestBody?.content;
    expect(Object.keys(content ?? {})).toEqual(['application/json', 'application/merge-patch+json']);
    expect(Object.keys(paths['/verify']?.['post']?.requestBody?.content ?? {})).toEqual(['application/json']);
  });

  test('points at no schema that is missing, and has no schema that is not used', async () => {
    const text = JSON.stringify(await documentOf('open'));
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(JSON.parse(text).components.schemas).sort());
  });

  test('is the same under another base path', async () => {
    const { service } = openService();
    const at = async (basePath: string) => {
      const answer = await fetchHandler(service, { basePath })(
        new Request(`http://h${basePath}/openapi.json`),
      );
      return answer.text();
    };
    expect(await at('/api')).toBe(await at('/somewhere/else'));
  });
});
