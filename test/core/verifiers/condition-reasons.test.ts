/** The denials by conditions that local verifiers file. */
import { expect, test } from 'vitest';
import { packed, sent, senderOf as stage } from './stage.ts';

const ABOVE = {
  code: 'parent_denied',
  message: 'The parent of the agent may not do this.',
  parent: 'did:web:a.example:agents:top',
  reason: 'parameter_not_allowed',
};
const INVALID = { code: 'invalid_request' };

test('a block is filed with the conditions that did not hold, also of a passport above', async () => {
  const at = await stage();
  const required = { code: 'parameter_required', message: 'The parameter is required.', at: '/to' };
  const other = {
    code: 'parameter_not_allowed',
    message: 'The parameter is not allowed.',
    at: '',
    test: 'only',
  };
  const above = { ...ABOVE, at: '/to', test: 'in' };
  const reasons = [required, required, other, above, above];
  const answer = await at.service.verifiers.file(sent(packed([at.made(1, { reasons })])), at.caller);
  expect(answer).toEqual({ seq: 1, result: 'filed' });
  const [record] = (await at.service.verifications.list()).data;
  expect(record?.reasons).toEqual(reasons);
  const many = Array.from({ length: 41 }, () => required);
  for (const wrong of [
    many,
    [{ ...required, at: 'to' }],
    [{ ...other, test: 'IN' }],
    [{ ...other, value: 'x' }],
  ]) {
    const block = sent(packed([at.made(2, { reasons: wrong })]));
    await expect(at.service.verifiers.file(block, at.caller)).rejects.toMatchObject(INVALID);
  }
});
