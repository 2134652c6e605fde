import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { fetchHandler } from '../../../src/http/index.ts';
import { createIdentityService } from '../../../src/index.ts';
import { PATIENT_MS } from '../../support/patience.ts';

test('a service without event streams answers 404 and has no method for them', async () => {
  const service = createIdentityService({ storage: memoryStorage(), storageDeadlineMs: PATIENT_MS });
  onTestFinished(() => service.close());
  const { key } = await service.keys.create({ name: 'reader', scopes: ['events'] });
  const headers = { 'x-api-key': key };
  const { status } = await fetchHandler(service)(new Request('http://h/api/events', { headers }));
  expect(status).toBe(404);
  expect(Object.keys(service)).not.toContain('events');
  expect(Object.keys(service.as())).not.toContain('events');
});
