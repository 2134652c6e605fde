import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { fetchHandler } from '../../../src/http/index.ts';
import { createIdentityService } from '../../../src/index.ts';
import { people } from '../../../src/people/index.ts';
import { believing } from '../../oidc/stage.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { SECRET } from '../../support/service.ts';

const session = { secret: SECRET };

test('a service without people has no methods and no endpoints for them', async () => {
  const service = createIdentityService({ storage: memoryStorage(), session, storageDeadlineMs: PATIENT_MS });
  onTestFinished(() => service.close());
  for (const name of ['members', 'readLink', 'acceptLink', 'oidc']) {
    expect(Object.keys(service)).not.toContain(name);
    expect(Object.keys(service.as({ account_id: 'acc_1' }))).not.toContain(name);
  }
  const handle = fetchHandler(service);
  for (const path of ['/members', '/auth/link', '/auth/accept', '/auth/oidc/start', '/auth/oidc/finish'])
    for (const method of ['GET', 'POST'])
      expect((await handle(new Request(`http://h/api${path}`, { method }))).status).toBe(404);
});

test('an issuer that cannot work is refused', () => {
  const open = (oidc: object) => () => people({ oidc } as never);
  expect(open({})).toThrow(/oidc.provider is not a provider/);
  expect(open({ provider: believing, label: '' })).toThrow(/oidc.label must be/);
  expect(open({ provider: believing, map: {} })).toThrow(/oidc.map must be a function/);
  expect(open({ provider: believing, labell: 'x' })).toThrow(/Did you mean oidc.label\?/);
  const capabilities = [people({ oidc: { provider: believing } })] as const;
  const bare = () =>
    createIdentityService({ storage: memoryStorage(), storageDeadlineMs: PATIENT_MS, capabilities });
  expect(bare).toThrow(/oidc needs options.session/);
});
