/** Lists of tools by `--hide-denied`. */
import { expect, test } from 'vitest';
import { openShop, startProxy } from './proxy.ts';

test('a list loses what is always denied by --hide-denied, and keeps what depends on arguments', async () => {
  const proxy = startProxy(await openShop(), { args: ['--hide-denied'], what: 'pages' });
  const namesOf = async (id: number, params: object) => {
    const { result = {} } = await proxy.ask({ id, method: 'tools/list', params });
    return (result['tools'] as readonly { name: string }[]).map(({ name }) => name);
  };
  expect(await namesOf(1, {})).toEqual(['pay']);
  expect(await namesOf(2, { cursor: '2' })).toEqual(['search']);
  const answers = [];
  for (const [id, name] of [
    [3, 'forbidden'],
    [4, 'nothing'],
  ] as const)
    answers.push((await proxy.ask({ id, method: 'tools/call', params: { name } })).error);
  expect(answers).toEqual(
    ['forbidden', 'nothing'].map((name) => ({ code: -32_602, message: `Unknown tool: ${name}` })),
  );
});

test('a list is an error by --hide-denied without a verdict, because clients keep a short list', async () => {
  const shop = await openShop();
  const proxy = startProxy(shop, { args: ['--hide-denied'] });
  expect(await proxy.ask({ id: 1, method: 'tools/list' })).toHaveProperty('result');
  shop.server.closeAllConnections();
  shop.server.close();
  expect((await proxy.ask({ id: 2, method: 'tools/list' })).error).toEqual({
    code: -32_603,
    message: 'There is no verdict on the tools now.',
  });
});
