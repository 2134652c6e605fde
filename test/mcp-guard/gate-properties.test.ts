import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGate } from '../../adapters/cli/mcp-guard/gate.ts';
import { readMessage, writeMessage } from '../../adapters/cli/mcp-guard/message.ts';
import { createToolGuard } from '../../src/guard/index.ts';
import { cases } from '../support/runs.ts';

/** A gate whose verifier is away, with what it forwards and answers. */
function openGate() {
  const verifier = { verify: () => Promise.reject(new Error('away')) };
  const guard = createToolGuard({ verifier, agentId: 'did:web:example.com:agents:shopper' });
  const forwarded: string[] = [];
  const answers: unknown[] = [];
  const gate = createGate({
    ...{ guard, denyAs: 'result', isGuardingMethods: false, allowedMethods: [] },
    forward: (message) => forwarded.push(writeMessage(message)),
    answer: (message) => answers.push(message),
    onList: () => undefined,
  });
  return { gate, forwarded, answers };
}

const method = fc.constantFrom(
  'tools/call',
  'tools/call',
  'ping',
  'tools/list',
  'notifications/cancelled',
  'Tools/call',
);
const message = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.string(), fc.integer(), fc.jsonValue()),
    method: fc.oneof({ weight: 5, arbitrary: method }, fc.jsonValue()),
    params: fc.oneof(fc.record({ name: fc.jsonValue(), arguments: fc.jsonValue() }), fc.jsonValue()),
    result: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
/** The bytes of a message, some of them changed, left out or repeated. */
const line = fc
  .tuple(
    fc.oneof(message, fc.jsonValue()).map((value) => [...Buffer.from(JSON.stringify(value))]),
    fc.array(fc.tuple(fc.nat(2_000), fc.nat(2), fc.array(fc.nat(255), { maxLength: 4 })), { maxLength: 3 }),
  )
  .map(([bytes, changes]) => {
    for (const [at, removed, added] of changes) bytes.splice(at % (bytes.length + 1), removed, ...added);
    return Buffer.from(bytes.filter((byte) => byte !== 0x0a));
  });

test('without a verdict no line of any kind makes a call of a tool reach the server, nor a second line', async () => {
  let stopped = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
      const { gate, forwarded, answers } = openGate();
      for (const one of lines) gate.receive(one);
      await gate.settled();
      stopped += answers.length;
      for (const text of forwarded) {
        expect(text.indexOf('\n')).toBe(text.length - 1);
        expect(String(JSON.parse(text).method)).not.toMatch(/tools.call/i);
      }
    }),
    { numRuns: cases() },
  );
  expect(stopped).toBeGreaterThan(0);
});

/** The reader refuses the name `__proto__`, wherever it stands. */
const readable = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__":'));

test('what is written is read as the same, for any JSON', () => {
  fc.assert(
    fc.property(readable, (value) => {
      const text = writeMessage(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(writeMessage(readMessage(Buffer.from(text.trimEnd())))).toBe(text);
    }),
    { numRuns: cases() },
  );
});
