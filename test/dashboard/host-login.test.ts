/** The files of the dashboard with the login of an application. */
import { describe, expect, test } from 'vitest';
import { dashboardHandler, dashboardRouter } from '../../adapters/dashboard/index.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createIdentityService } from '../../src/index.ts';
import { closeAfterFile } from '../support/closers.ts';
import { PATIENT_MS } from '../support/patience.ts';

describe('the dashboard with the login of an application', () => {
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage() });
  closeAfterFile(() => service.close());
  const options = { login: 'host', signIn: '/login?next={url}&a="', signOut: '/logout' } as const;

  test('needs no logins of the service, and says where people sign in', async () => {
    const page = await dashboardHandler(service, options)(new Request('http://host/')).text();
    expect(page).toContain('<meta name="sign-in" content="/login?next={url}&#38;a=&#34;">');
    expect(page).toContain('<meta name="sign-out" content="/logout">');
    expect(page).toContain('<meta name="registration" content="closed">');
  });

  test('describes the API as it is on such a mount', async () => {
    const page = await dashboardHandler(service, options)(new Request('http://host/reference')).text();
    expect(page).toContain('/passports');
    expect(page).not.toContain('/auth/login');
  });

  test.each<[options: object]>([
    [{ login: 'own' }],
    [{ login: 'host' }],
    [{ login: 'host', signIn: '' }],
    [{ login: 'host', signIn: 'javascript:alert(1)' }],
    [{ login: 'host', signIn: '//evil.example' }],
    [{ login: 'host', signIn: '/\\evil.example' }],
    [{ login: 'host', signIn: '/login', signOut: 'data:,x' }],
    [{ signIn: '/login' }],
    [{ signOut: '/logout' }],
  ])('refuses %j', (wrong) => {
    for (const make of [dashboardRouter, dashboardHandler])
      expect(() => make(service, wrong)).toThrow(expect.objectContaining({ code: 'invalid_configuration' }));
  });
});
