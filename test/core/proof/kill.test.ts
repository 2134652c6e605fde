/** A node that is killed between the check of a proof and its answer: the proof is allowed at most once in all. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createIdentityService } from '../../../src/index.ts';
import { signIntent } from '../../../src/tokens/proof/index.ts';
import { survivingStores } from '../../support/kills.ts';
import { AUDIENCE, ED25519, PAYMENT, PROVING, SHOPPER } from '../../support/prover.ts';

const run = promisify(execFile);
const NODE = fileURLToPath(new URL('node.mjs', import.meta.url));

test.each(survivingStores())('on %s', { timeout: 300_000 }, async (_, make) => {
  const store = await make();
  onTestFinished(() => store.remove());
  const service = createIdentityService({
    storage: await store.open(),
    ...PROVING,
    storageDeadlineMs: 60_000,
  });
  onTestFinished(() => service.close());
  const { agent_id } = await service.passports.create(SHOPPER);
  const options = { key: ED25519.private_jwk, agent_id, audience: AUDIENCE, seconds: 300 };
  const env = { ...process.env, PROVING: JSON.stringify(PROVING) };
  /** What a node answers that is killed then; nothing where it does not come to it. */
  const answerOf = async (when: string, intent: object): Promise<string> =>
    run(process.execPath, [NODE, store.url, when, JSON.stringify(intent)], { env }).then(
      ({ stdout }) => stdout.trim(),
      ({ signal, stdout, stderr }) => {
        expect({ signal, stderr }).toMatchObject({ signal: 'SIGKILL' });
        return stdout;
      },
    );

  const used = { ...PAYMENT, agent_id, proof: await signIntent(PAYMENT, options) };
  expect(await answerOf('after', used)).toBe('');
  expect(await answerOf('never', used)).toBe('DENY proof_replayed');
  expect(await service.verify(used)).toMatchObject({ reasons: [{ code: 'proof_replayed' }] });

  const unused = { ...PAYMENT, agent_id, proof: await signIntent(PAYMENT, options) };
  expect(await answerOf('before', unused)).toBe('');
  expect(await answerOf('never', unused)).toBe('ALLOW');
  expect(await answerOf('never', unused)).toBe('DENY proof_replayed');
});
