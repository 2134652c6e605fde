import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openVerifier } from '../../adapters/cli/mcp-guard/verifier.ts';
import { nodeListener } from '../../src/http/index.ts';
import { openFolder } from '../support/process.ts';
import { ED25519, outcome, SHOPPER } from '../support/prover.ts';
import { listen } from '../support/servers.ts';
import { openLocalService, SECRET } from '../support/service.ts';

test('a proxy with the key of its agent signs each intent, and shows the key in no error', async () => {
  let answer: RequestListener = () => undefined;
  const url = await listen((request, response) => answer(request, response));
  const identity = { secret: SECRET, publicUrl: `${url}/api` };
  const { service } = openLocalService({ identity, clock: { now: Date.now } });
  answer = nodeListener(service);
  const { agent_id } = await service.passports.create({ ...SHOPPER, allowed_actions: ['tools:*'] });
  const { key } = await service.keys.create({ name: 'proxy' });
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const file = join(folder, 'key.json');
  writeFileSync(file, JSON.stringify(ED25519.private_jwk));
  const before = process.env['AGENT_IDENTITY_API_KEY'];
  process.env['AGENT_IDENTITY_API_KEY'] = key;
  onTestFinished(() => {
    if (before === undefined) delete process.env['AGENT_IDENTITY_API_KEY'];
    else process.env['AGENT_IDENTITY_API_KEY'] = before;
  });
  const intent = { agent_id, action: 'tools:pay' };

  const unsigned = await openVerifier({ agent: agent_id, url });
  expect(outcome(await unsigned.verify(intent))).toBe('proof_required');
  const signing = await openVerifier({ agent: agent_id, url, agentKey: file });
  expect(outcome(await signing.verify(intent))).toBe('ALLOW');
  const both = await signing.verifyBatch({ intents: [intent, intent] });
  expect(both.map(outcome)).toEqual(['ALLOW', 'ALLOW']);

  writeFileSync(file, JSON.stringify({ ...ED25519.private_jwk, crv: 'P-256' }));
  const refused = await openVerifier({ agent: agent_id, url, agentKey: file }).catch((error) => error);
  expect(refused).toMatchObject({ code: 'invalid_configuration' });
  expect(`${refused.stack}`).not.toContain(ED25519.private_jwk.d);
  await expect(openVerifier({ agent: agent_id, storage: 'sqlite:a.db', agentKey: file })).rejects.toThrow(
    '--agent-key is for --url',
  );
});
