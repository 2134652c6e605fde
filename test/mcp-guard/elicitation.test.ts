/** The proxy asks a person by a page of the client. */
import { expect, test } from 'vitest';
import { openShop, pay, startProxy } from './proxy.ts';

const PAGE = 'https://id.example/approvals/';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
};

function asking(id: number, more: object = {}): Readonly<Record<string, unknown>> {
  const message = pay(id, 2_500);
  return { ...message, params: { ...(message['params'] as object), _meta: META, ...more } };
}

test('--approval-url: a call is forwarded after the approval, without what belongs to the guard', async () => {
  const shop = await openShop();
  await shop.service.passports.update('did:web:example.com:agents:shopper', { approval: { above: 10 } });
  const proxy = startProxy(shop, { args: ['--approval-url', PAGE] });
  const { result } = await proxy.ask(asking(1));
  expect(result).toMatchObject({
    resultType: 'input_required',
    requestState: expect.stringMatching(/^ais1\.apr_/),
  });
  const [{ id = '' } = {}] = (await shop.service.approvals.list()).data;
  await shop.service.approvals.approve(id);
  const responses = { 'agent-identity/approval': { action: 'accept' }, theirs: { action: 'accept' } };
  const more = { requestState: result?.['requestState'], inputResponses: responses };
  await proxy.ask(asking(2, more));
  const lines = proxy.received().filter((line) => line.includes('tools/call'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '').params).toMatchObject({
    inputResponses: { theirs: { action: 'accept' } },
  });
  expect(lines[0]).not.toContain('agent-identity/approval');
  expect(lines[0]).not.toContain('ais1.');
  expect((await proxy.ask(asking(3, { requestState: 'ais1.x' }))).error).toMatchObject({ code: -32_602 });
});
