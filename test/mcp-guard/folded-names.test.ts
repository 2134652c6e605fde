import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createGate } from '../../adapters/cli/mcp-guard/gate.ts';
import { writeMessage } from '../../adapters/cli/mcp-guard/message.ts';
import { createToolGuard } from '../../src/guard/index.ts';
import { callIn } from '../support/folding-reader.mjs';
import { openFolder } from '../support/process.ts';
import { cases } from '../support/runs.ts';
import { openLocalService } from '../support/service.ts';
import { openShop, startProxy } from './proxy.ts';

const SERVER = fileURLToPath(new URL('folding-server.mjs', import.meta.url));
const RICH = '"params":{"name":"pay","arguments":{"amount":5000}}';

/** Each of them makes a server that folds names pay 5000. */
const FORMS: readonly (readonly [string, string])[] = [
  ['no method, but one in another case', `"Method":"tools/call",${RICH}`],
  ['a method, and one in another case', `"method":"ping","Method":"tools/call",${RICH}`],
  [
    'params, and param\u017f',
    `"method":"tools/call","params":{"name":"search"},"param\u017f":{"name":"pay","arguments":{"amount":5000}}`,
  ],
  [
    'a name, and one in another case',
    '"method":"tools/call","params":{"name":"search","Name":"pay","arguments":{"amount":5000}}',
  ],
  [
    'arguments, and others in another case',
    '"method":"tools/call","params":{"name":"pay","arguments":{"amount":5},"Arguments":{"amount":5000}}',
  ],
  [
    'an amount, and one in another case',
    '"method":"tools/call","params":{"name":"pay","arguments":{"amount":5,"Amount":5000}}',
  ],
  ['a method that ends with U+0000', `"method\\u0000":"tools/call",${RICH}`],
];
const lineOf = (id: number, form: string): string => `{"jsonrpc":"2.0","id":${id},${form}}`;

test('a server that folds names pays 5000 for none of the forms through the proxy, and for each without it', async () => {
  for (const [what, form] of FORMS)
    expect([what, callIn(lineOf(1, form))]).toMatchObject([
      what,
      { method: 'tools/call', name: 'pay', amount: 5000 },
    ]);
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const file = join(folder, 'ran');
  const proxy = startProxy(await openShop(), {
    server: [process.execPath, SERVER, file],
    rules: { pay: { action: 'payments.create', amount: '/amount', currency: 'EUR' } },
  });
  for (const [index, [what, form]] of FORMS.entries()) {
    proxy.write(`${lineOf(index, form)}\n`);
    const { error, result } = await proxy.answer(({ id }) => id === index);
    expect([what, error?.code ?? result?.['isError']]).toEqual([
      what,
      what.startsWith('an amount') ? true : -32_600,
    ]);
  }
  proxy.write(`${lineOf(9, '"method":"tools/call","params":{"name":"pay","arguments":{"amount":5}}')}\n`);
  await proxy.answer(({ id }) => id === 9);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe('pay 5\n');
});

test('what has no method reaches the server only as an answer: with an id, and a result or an error', async () => {
  const proxy = startProxy(await openShop());
  const lines = {
    '{"id":1}': false,
    '{"id":1,"result":{},"error":{"code":1,"message":"a"}}': false,
    '{"result":{}}': false,
    '{}': false,
    '{"jsonrpc":"2.0","id":1,"result":{}}': true,
    '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"a"}}': true,
  };
  proxy.write(
    Object.keys(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
  await proxy.ask({ id: 'last', method: 'ping' });
  expect(proxy.received().slice(0, -1)).toEqual(
    Object.entries(lines).flatMap(([line, passes]) => (passes ? [line] : [])),
  );
  const refused = proxy.lines().filter((line) => line.includes('-32600'));
  expect(refused).toHaveLength(4);
});

/** A name as it is, or so that a server that folds names takes it for the same. */
const disguised = (name: string) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.nat(3), fc.boolean()), { minLength: name.length, maxLength: name.length }),
      fc.constantFrom('', '', ' ', '\t', '\u0000', '\u0000x'),
    )
    .map(([letters, end]) => {
      const others: Readonly<Record<string, string>> = { s: '\u017f', k: '\u212a' };
      const spell = (letter: string, how: number): string =>
        how === 0 ? letter.toUpperCase() : how === 1 ? (others[letter] ?? letter) : letter;
      return [...name]
        .map((letter, at) => {
          const [how = 3, hasNul = false] = letters[at] ?? [];
          return spell(letter, how) + (hasNul && how === 3 ? '\u0000' : '');
        })
        .join('')
        .concat(end);
    });

const member = (name: string, value: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.oneof({ weight: 2, arbitrary: fc.constant(name) }, disguised(name)), value);
const objectOf = (...members: readonly fc.Arbitrary<readonly [string, unknown]>[]) =>
  fc
    .tuple(...members.flatMap((one) => [fc.option(one, { freq: 8 }), fc.option(one, { freq: 2 })]))
    .map((all) => all.flatMap((one) => (one === null ? [] : [one])))
    .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))
    .map((all) => Object.fromEntries(all));
const args = objectOf(member('stake', fc.constantFrom(5, 5_000)));
const params = objectOf(member('name', fc.constantFrom('pay', 'search')), member('arguments', args));
const message = objectOf(
  member('id', fc.constantFrom(1, 2)),
  member('method', fc.constantFrom('tools/call', 'ping')),
  member('params', params),
);

const PLAIN = { id: 1, method: 'tools/call', params: { name: 'pay', arguments: { stake: 5 } } };

test('lets a server that folds names pay only evaluated amounts, whatever the disguise', async () => {
  const { service } = openLocalService();
  const { agent_id: agentId } = await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', monetary_limit_per_txn: 10 },
    ...{ allowed_actions: ['pay', 'search'], monetary_actions: ['pay'] },
  });
  const guard = createToolGuard({ verifier: service, agentId, tools: { pay: { amount: '/stake' } } });
  const seen = { paid: 0, stopped: 0 };
  await fc.assert(
    fc.asyncProperty(message, async (one) => {
      const forwarded: string[] = [];
      const gate = createGate({
        ...{ guard, denyAs: 'result', isGuardingMethods: false, allowedMethods: [] },
        forward: (own) => forwarded.push(writeMessage(own)),
        answer: () => {
          seen.stopped += 1;
        },
        onList: () => undefined,
      });
      gate.receive(Buffer.from(JSON.stringify(one)));
      await gate.settled();
      for (const line of forwarded) {
        const { method, name, amount } = callIn(line, 'stake');
        if (method !== 'tools/call' || name !== 'pay') continue;
        seen.paid += 1;
        expect(amount).toBe(5);
      }
    }),
    // One without any disguise is among them: few that are drawn have none.
    { numRuns: cases() * 5, examples: [[PLAIN]] },
  );
  expect(Math.min(seen.paid, seen.stopped)).toBeGreaterThan(0);
});
