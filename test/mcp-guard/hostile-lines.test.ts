import { describe, expect, test } from 'vitest';
import { openShop, pay, startProxy } from './proxy.ts';

const call = (text: string): string => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${text}}`;
const RICH = '"name":"pay","arguments":{"cents":10001}';

/** What a reader may take for a call of a tool, and what the proxy answers at once. */
const LINES: readonly (readonly [string, string | Uint8Array, number | 'DENY' | undefined])[] = [
  ['a name twice, the last one dear', call('{"name":"pay","arguments":{"cents":1,"cents":10001}}'), -32_602],
  ['a name twice, the first one dear', call('{"name":"pay","arguments":{"cents":10001,"cents":1}}'), -32_602],
  ['two methods', `{"id":1,"method":"ping","method":"tools/call","params":{${RICH}}}`, -32_602],
  ['two params', `{"id":1,"method":"tools/call","params":{},"params":{${RICH}}}`, -32_602],
  ['two ids', `{"id":1,"id":1,"method":"tools/call","params":{${RICH}}}`, -32_602],
  ['an escaped method', `{"id":1,"method":"tools\\u002fcall","params":{${RICH}}}`, 'DENY'],
  ['an escaped name of a member', `{"id":1,"\\u006dethod":"tools/call","params":{${RICH}}}`, 'DENY'],
  ['a batch', `[${call(`{${RICH}}`)}]`, -32_600],
  ['an empty batch', '[]', -32_600],
  ['a text', '"tools/call"', -32_600],
  ['null', 'null', -32_600],
  ['no JSON', 'tools/call', -32_700],
  ['half of it', call(`{${RICH}}`).slice(0, -3), -32_700],
  ['two messages in a line', `${call(`{${RICH}}`)}${call(`{${RICH}}`)}`, -32_700],
  ['65 levels', call(`{"name":"pay","arguments":${'['.repeat(64)}${']'.repeat(64)}}`), -32_602],
  ['a million levels', `${'['.repeat(1_000_000)}`, -32_700],
  ['100,001 members', call(`{"name":"pay","arguments":[${'1,'.repeat(100_000)}1]}`), -32_602],
  [
    'invalid UTF-8',
    Buffer.concat([
      Buffer.from('{"id":1,"method":"tools/call","params":{"name":"'),
      Buffer.of(0xff),
      Buffer.from('"}}'),
    ]),
    -32_602,
  ],
  ['half of a surrogate pair', call('{"name":"pay","arguments":{"cents":1,"a":"\\ud800"}}'), -32_602],
  ['a byte-order mark', `\ufeff${call(`{${RICH}}`)}`, -32_602],
  ['the name __proto__', call('{"name":"pay","arguments":{"__proto__":{"cents":1}}}'), -32_602],
  ['a method that is no text', `{"id":1,"method":["tools/call"],"params":{${RICH}}}`, -32_600],
  ['another case', `{"id":1,"method":"Tools/Call","params":{${RICH}}}`, -32_601],
  ['white space around', `{"id":1,"method":" tools/call","params":{${RICH}}}`, -32_601],
  [
    'a call that looks like an answer',
    `{"id":1,"result":{},"method":"tools/call","params":{${RICH}}}`,
    'DENY',
  ],
  ['an id that is null', `{"id":null,"method":"tools/call","params":{"name":"search"}}`, -32_600],
  ['an id that is a fraction', `{"id":1.5,"method":"tools/call","params":{"name":"search"}}`, -32_600],
  ['an id that is true', `{"id":true,"method":"tools/call","params":{"name":"search"}}`, -32_600],
  ['an id that is an object', `{"id":{},"method":"tools/call","params":{"name":"search"}}`, -32_600],
  [
    'an id beyond doubles',
    '{"id":12345678901234567890,"method":"tools/call","params":["search",{}]}',
    'DENY',
  ],
  ['no id', `{"method":"tools/call","params":{"name":"search"}}`, undefined],
  ['an unknown notification', '{"method":"notifications/tools/call"}', undefined],
  ['no params', '{"id":1,"method":"tools/call"}', 'DENY'],
  ['params in a list', '{"id":1,"method":"tools/call","params":["search",{}]}', 'DENY'],
  ['a name that is no text', call('{"name":["search"],"arguments":{}}'), 'DENY'],
  ['an amount beyond doubles', call('{"name":"pay","arguments":{"cents":1.00000000000000000001}}'), 'DENY'],
  ['an amount that is negative zero', call('{"name":"pay","arguments":{"cents":-0}}'), 'DENY'],
  ['arguments in a text', call('{"name":"pay","arguments":"{\\"cents\\":1}"}'), 'DENY'],
];

describe('hostile lines', () => {
  test('are answered one by one, and none of them reaches the server', async () => {
    const proxy = startProxy(await openShop());
    for (const [what, line, expected] of LINES) {
      const before = proxy.lines().length;
      proxy.write(Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
      await proxy.ask({ id: what, method: 'ping' });
      await expect
        .poll(() => proxy.lines().length, { timeout: 2_000, interval: 5, message: what })
        .toBe(before + (expected === undefined ? 1 : 2));
      const own = proxy
        .lines()
        .slice(before)
        .find((text) => !text.includes(JSON.stringify(what)));
      const { error, result } = own === undefined ? {} : JSON.parse(own);
      expect([what, result?.isError === true ? 'DENY' : error?.code]).toEqual([what, expected]);
    }
    expect(proxy.received().filter((line) => !line.includes('"ping"'))).toEqual([]);
  });

  test('of more than 16 MiB are refused, also without an end', async () => {
    const proxy = startProxy(await openShop());
    const most = 16 * 1024 * 1024;
    const filler = (bytes: number) => `{"id":2,"method":"ping","params":{"a":"${'x'.repeat(bytes - 42)}"}}\n`;
    proxy.write(filler(most));
    expect(await proxy.answer(({ id }) => id === 2)).toHaveProperty('result');
    proxy.write(filler(most + 2));
    expect((await proxy.answer(({ error }) => error !== undefined)).error?.code).toBe(-32_700);
    proxy.write('y'.repeat(most + 1));
    proxy.endInput();
    expect(await proxy.ended).toBe(0);
    expect(proxy.received()).toHaveLength(1);
  });

  test('in pieces of single bytes, with CR LF and empty lines between, are read as lines', async () => {
    const proxy = startProxy(await openShop());
    const lines = [pay(1, 1), pay(2, 10_001), pay(3, 2)].map((one) => `${JSON.stringify(one)}\r\n\r\n \n`);
    for (const byte of Buffer.from(lines.join(''))) proxy.write(Buffer.of(byte));
    for (const id of [1, 2, 3]) await proxy.answer((answer) => answer.id === id);
    expect(proxy.received().map((line) => JSON.parse(line).id)).toEqual([1, 3]);
  });

  test('that are not ended are dropped', async () => {
    const proxy = startProxy(await openShop());
    await proxy.ask({ id: 0, method: 'ping' });
    proxy.write(JSON.stringify(pay(1, 1)));
    proxy.endInput();
    expect(await proxy.ended).toBe(0);
    expect(proxy.received()).toHaveLength(1);
  });
});

describe('what is forwarded', () => {
  test('is written anew: numbers as they were spelled, and nothing that may end a line', async () => {
    const proxy = startProxy(await openShop());
    const text =
      '{ "name":"pay", "arguments":{"cents":1,"n":[1e400,-0,0.10,12345678901234567890],"s":"a\\u2028b\\u0085\\u0000\\nc"} , "_meta":{"x":1.0} }';
    proxy.write(`${call(text)}\n`);
    expect(await proxy.answer(({ id }) => id === 1)).toHaveProperty('result');
    expect(proxy.received()).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"cents":1,"n":[1e400,-0,0.1,12345678901234567890],"s":"a\\u2028b\\u0085\\u0000\\nc"},"_meta":{"x":1}}}',
    ]);
  });

  test('are answers to the server, and no second call of an id being evaluated', async () => {
    const proxy = startProxy(await openShop());
    const answer = '{"jsonrpc":"2.0","id":9,"result":{"roots":[]}}';
    proxy.write(`${answer}\n${JSON.stringify(pay(1, 1))}\n${JSON.stringify(pay(1, 1))}\n`);
    expect((await proxy.answer(({ error }) => error !== undefined)).error?.code).toBe(-32_600);
    await proxy.answer(({ result }) => result !== undefined);
    expect(proxy.received()[0]).toBe(answer);
    expect(proxy.received()).toHaveLength(2);
  });
});

describe('a service that goes away', () => {
  test.each(['refuses', 'hangs', 'lies'])('and %s: each call is denied within 2 s', async (how) => {
    let isAway = false;
    const shop = await openShop((listener) => (request, response) => {
      if (!isAway) listener(request, response);
      else if (how === 'refuses') request.socket.destroy();
      else if (how === 'lies') response.end('{"verdict":"ALLOW","reasons":[]}');
    });
    const proxy = startProxy(shop, { args: ['--timeout-ms', '1000'] });
    expect(await proxy.ask(pay(1, 1))).toHaveProperty('result.content');
    isAway = true;
    const started = performance.now();
    const answers = await Promise.all([2, 3, 4].map((id) => proxy.ask(pay(id, 1))));
    expect(performance.now() - started).toBeLessThan(8_000);
    for (const { result } of answers) expect(JSON.stringify(result)).toContain('verdict_unavailable');
    expect(proxy.received()).toHaveLength(1);
  });

  test('and calls that were asked before the client ended are denied, and then it ends', async () => {
    let isAway = false;
    const shop = await openShop((listener) => (request, response) => {
      if (!isAway) listener(request, response);
    });
    const proxy = startProxy(shop, { args: ['--timeout-ms', '500'] });
    await proxy.ask({ id: 0, method: 'ping' });
    isAway = true;
    proxy.write(`${JSON.stringify(pay(1, 1))}\n`);
    proxy.endInput();
    expect(await proxy.ended).toBe(0);
    expect(proxy.lines().at(-1)).toContain('verdict_unavailable');
    expect(proxy.received()).toHaveLength(1);
  });
});

test('calls after the server has died are not answered as run, and the proxy ends', async () => {
  const proxy = startProxy(await openShop(), { what: 'die' });
  proxy.write('{"id":1,"method":"ping"}\n');
  for (let id = 2; id < 50; id += 1) proxy.write(`${JSON.stringify(pay(id, 1))}\n`);
  expect(await proxy.ended).toBe(7);
  expect(proxy.lines().filter((line) => line.includes('"ran"'))).toEqual([]);
});
