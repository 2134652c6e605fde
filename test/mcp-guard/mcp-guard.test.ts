import { describe, expect, test } from 'vitest';
import { runProcess } from '../support/process.ts';
import { AGENT, openShop, pay, startProxy } from './proxy.ts';

const RAN = { content: [{ type: 'text', text: 'ran' }] };

describe('a call of a tool', () => {
  test('that is allowed is sent, one that is denied is answered by the proxy', async () => {
    const proxy = startProxy(await openShop());
    expect((await proxy.ask(pay(1, 10_000))).result).toEqual(RAN);
    const { result } = await proxy.ask(pay('b', 10_001));
    expect(result).toEqual({
      isError: true,
      content: [
        { type: 'text', text: expect.stringMatching(/^DENY dec_\w+: The amount is over the limit\./) },
      ],
      _meta: {
        'agent-identity/verdict': 'DENY',
        'agent-identity/decision_id': expect.stringMatching(/^dec_/),
      },
    });
    expect((await proxy.ask(pay(2, undefined))).result).toMatchObject({ isError: true });
    expect(proxy.received()).toEqual([JSON.stringify({ jsonrpc: '2.0', ...pay(1, 10_000) })]);
    proxy.endInput();
    expect(await proxy.ended).toBe(0);
  });

  test('of the protocol of 2026 is denied in its form', async () => {
    const proxy = startProxy(await openShop());
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const params = { name: 'pay', arguments: { cents: 10_001 }, _meta };
    const { result } = await proxy.ask({ id: 1, method: 'tools/call', params });
    expect(result).toMatchObject({ isError: true, resultType: 'complete' });
  });

  test('is an error of the protocol where that is asked for', async () => {
    let isAway = false;
    const shop = await openShop((listener) => (request, response) => {
      if (isAway) request.socket.destroy();
      else listener(request, response);
    });
    const proxy = startProxy(shop, { args: ['--deny-as', 'error'] });
    expect((await proxy.ask(pay(1, 10_001))).error).toMatchObject({ code: -32_001 });
    expect((await proxy.ask({ id: 2, method: 'tools/call', params: {} })).error).toMatchObject({
      code: -32_001,
    });
    isAway = true;
    const { error } = await proxy.ask(pay(3, 1));
    expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining('verdict_unavailable') });
    expect(proxy.received()).toEqual([]);
  });

  test('100 at once get their own verdicts', async () => {
    const proxy = startProxy(await openShop());
    const amounts = Array.from({ length: 100 }, (_, index) => 9_951 + index);
    const answers = await Promise.all(amounts.map((cents) => proxy.ask(pay(cents, cents))));
    expect(answers.map(({ result }) => result?.['isError'] === true)).toEqual(
      amounts.map((cents) => cents > 10_000),
    );
    expect(proxy.received()).toHaveLength(50);
  });

  test('has the trace of its _meta in the record, and none of another form', async () => {
    const shop = await openShop();
    const proxy = startProxy(shop);
    const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traces = [`00-${trace_id}-00f067aa0ba902b7-01`, `ff-${trace_id}-00f067aa0ba902b7-01`, trace_id, 7];
    for (const [id, traceparent] of traces.entries()) {
      const params = { name: 'pay', arguments: { cents: 1 }, _meta: { traceparent } };
      await proxy.ask({ id, method: 'tools/call', params });
    }
    expect(JSON.parse(proxy.received()[0] ?? '').params._meta).toEqual({ traceparent: traces[0] });
    const { data } = await shop.service.verifications.list({});
    const asked = data.filter(({ dry_run }) => !dry_run).map((record) => record.trace_id);
    expect(asked).toEqual([null, null, null, trace_id]);
  });

  test('is not run if it was cancelled during its evaluation', async () => {
    let release = (): void => undefined;
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const shop = await openShop((listener) => async (request, response) => {
      if (request.url === '/api/verify') {
        asked();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      listener(request, response);
    });
    const proxy = startProxy(shop);
    proxy.write(`${JSON.stringify({ jsonrpc: '2.0', ...pay(1, 1) })}\n`);
    await isAsked;
    const params = { requestId: 1 };
    proxy.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })}\n`);
    await proxy.ask({ id: 2, method: 'ping' });
    release();
    await proxy.ask({ id: 3, method: 'ping' });
    expect(proxy.received().map((line) => JSON.parse(line).method)).toEqual(['ping', 'ping']);
  });
});

describe('other messages', () => {
  test('pass when the protocol has them, and no other', async () => {
    const proxy = startProxy(await openShop(), { args: ['--allow-method', 'shop/open,environment'] });
    for (const method of [
      'initialize',
      'ping',
      'tools/list',
      'resources/read',
      'server/discover',
      'shop/open',
    ]) {
      expect(await proxy.ask({ id: method, method })).toHaveProperty('result');
    }
    expect((await proxy.ask({ id: 1, method: 'shop/close' })).error?.code).toBe(-32_601);
    expect((await proxy.ask({ id: 2, method: 'tools/call ' })).error?.code).toBe(-32_601);
    expect(proxy.received()).toHaveLength(6);
    const { result } = await proxy.ask({ id: 3, method: 'environment' });
    expect(JSON.stringify(result)).toContain('PATH');
    expect(JSON.stringify(result)).not.toContain('AGENT_IDENTITY');
  });

  test('that read are evaluated by --methods', async () => {
    const proxy = startProxy(await openShop(), { args: ['--methods', '--prefix', 'shop:'] });
    const { error } = await proxy.ask({ id: 1, method: 'resources/read', params: { uri: 'file:///secret' } });
    expect(error).toMatchObject({ code: -32_001, message: expect.stringContaining('action_not_allowed') });
    expect((await proxy.ask({ id: 2, method: 'prompts/get' })).error?.code).toBe(-32_001);
    expect(proxy.received()).toEqual([]);
  });

  test('that read may have rules', async () => {
    const rules = { pay: { amount: '/cents' }, 'resources/read': { action: 'search', target: '/uri' } };
    const shop = await openShop();
    const proxy = startProxy(shop, { args: ['--methods'], rules });
    expect(await proxy.ask({ id: 1, method: 'tools/list' })).toHaveProperty('result');
    const params = { uri: 'did:web:example.com' };
    expect(await proxy.ask({ id: 2, method: 'resources/read', params })).toHaveProperty('result');
    const [record] = (await shop.service.verifications.list({})).data;
    expect(record).toMatchObject({ verdict: 'ALLOW', action: 'search', target: params.uri });
    const without = startProxy(shop, { rules });
    without.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    expect(await without.ended).toBe(2);
    expect(without.stderr()).toContain('"resources/read"');
  });

  test('of the server pass as they are, whatever they are', async () => {
    const proxy = startProxy(await openShop(), { what: 'garbage' });
    expect(await proxy.ask({ id: 2, method: 'ping' })).toMatchObject({ result: {} });
    expect((await proxy.ask(pay(3, 10_001))).result).toMatchObject({ isError: true });
    expect(proxy.lines().slice(0, 3)).toEqual([
      'no json at all',
      '{"jsonrpc":"2.0","id":1,"result":',
      '\u0000\u0001',
    ]);
  });

  test('of our own wait for no line of the server to end', async () => {
    const proxy = startProxy(await openShop(), { what: 'half' });
    await expect.poll(() => proxy.stderr()).toContain('ready');
    expect((await proxy.ask(pay(1, 10_001))).result).toMatchObject({ isError: true });
  });
});

describe('observe', () => {
  test('stops nothing, and says so on stderr', async () => {
    const proxy = startProxy(await openShop(), { args: ['--mode', 'observe'] });
    expect((await proxy.ask(pay(1, 10_001))).result).toEqual(RAN);
    expect(proxy.stderr()).toContain('only observes');
  });
});

describe('the start', () => {
  const args = ['mcp-guard', '--agent', AGENT];
  const env = { AGENT_IDENTITY_API_KEY: 'ais_live_none' };
  const options = { cwd: '/', env };

  test.each([
    [['mcp-guard', '--', 'true'], "required option '--agent"],
    [[...args, '--', 'true'], 'Name --url or --storage'],
    [
      [...args, '--url', 'http://localhost:1', '--storage', 'memory:', '--', 'true'],
      'Name --url or --storage',
    ],
    [[...args, '--url', 'http://localhost:1'], "missing required argument 'command'"],
    [[...args, '--url', 'http://localhost:1', '--explain', 'all', '--', 'true'], 'explain'],
    [[...args, '--url', 'http://localhost:1', '--timeout-ms', 'x', '--', 'true'], 'timeoutMs'],
    [
      [...args, '--url', 'http://localhost:1', '--tools', '/nowhere', '--', 'true'],
      '/nowhere cannot be read',
    ],
  ])('%j is wrong usage', async (given, message) => {
    const { code, stdout, stderr } = await runProcess(given, options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('ais_live');
  });

  test('fails where the service does not answer, and with --lazy denies until it does', async () => {
    const shop = { url: 'http://127.0.0.1:1', apiKey: 'ais_live_none' };
    const failed = startProxy(shop);
    expect(await failed.ended).toBe(1);
    expect(failed.received()).toEqual([]);
    const lazy = startProxy(shop, { args: ['--lazy'] });
    const { result } = await lazy.ask(pay(1, 1));
    expect(JSON.stringify(result)).toContain('verdict_unavailable');
    expect(JSON.stringify(result)).not.toContain('127.0.0.1');
    expect(lazy.received()).toEqual([]);
  });

  test('a rule whose tool the server does not list ends the proxy', async () => {
    const proxy = startProxy(await openShop(), { rules: { pey: {} } });
    proxy.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    expect(await proxy.ended).toBe(2);
    expect(proxy.stderr()).toContain('There is a rule for "pey", and no such tool. Did you mean pay?');
    expect(proxy.lines()).toEqual([]);
  });

  test('a rule for the tool of another server is fine with --partial, and named once', async () => {
    const rules = { pay: { action: 'payments.create', amount: '/cents', decimals: 2 }, refund: {}, pey: {} };
    const proxy = startProxy(await openShop(), { args: ['--partial'], rules });
    for (const id of [1, 2])
      expect(await proxy.ask({ id, method: 'tools/list' })).toHaveProperty('result.tools');
    expect((await proxy.ask(pay(3, 10_001))).result).toMatchObject({ isError: true });
    proxy.endInput();
    expect(await proxy.ended).toBe(0);
    expect(
      proxy
        .stderr()
        .split('\n')
        .filter((line) => line.startsWith('agent-identity')),
    ).toEqual(['agent-identity: This server has no tool for the rules refund, pey. Correct or remove them.']);
  });

  test.each([[[]], [['--lazy']]])('an agent that is unknown is warned of at the start: %j', async (args) => {
    const shop = await openShop();
    const agent = 'did:web:example.com:agents:shoper';
    const proxy = startProxy(shop, { agent, args });
    const warning =
      `agent-identity: No call of ${agent} is allowed: The agent is not found. (agent_not_found) ` +
      'Check --agent, and whether the API key may see it.\n';
    await expect.poll(() => proxy.stderr()).toContain(warning);
    expect((await proxy.ask(pay(1, 1))).result).toMatchObject({ isError: true });
    const known = startProxy(shop, { args });
    await known.ask(pay(1, 1));
    known.endInput();
    await known.ended;
    expect(known.stderr()).not.toContain('agent-identity');
  });

  test('a list in pages is complete with its last page', async () => {
    const proxy = startProxy(await openShop(), { what: 'pages', rules: { forbidden: {} } });
    await proxy.ask({ id: 1, method: 'tools/list' });
    await proxy.ask({ id: 2, method: 'tools/list', params: { cursor: '2' } });
    expect(await proxy.ask({ id: 3, method: 'ping' })).toHaveProperty('result');
  });
});

describe('the end', () => {
  test.each([
    ['the exit code of the server', 'die', 7],
    ['128 and the number of its signal', 'kill', 137],
  ])('is %s', async (_, what, code) => {
    const proxy = startProxy(await openShop(), { what });
    proxy.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect(await proxy.ended).toBe(code);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s is passed on', async (name) => {
    const proxy = startProxy(await openShop(), name === 'SIGTERM' ? { what: 'deaf' } : {});
    await proxy.ask({ id: 1, method: 'ping' });
    proxy.signal(name);
    expect(await proxy.ended).toBe({ SIGTERM: 5, SIGINT: 130, SIGHUP: 129 }[name]);
  });

  test('a command that is not there is 127', async () => {
    const proxy = startProxy(await openShop(), { server: ['/nowhere/server'] });
    expect(await proxy.ended).toBe(127);
    expect(proxy.stderr()).toContain('/nowhere/server cannot be started (ENOENT)');
  });
});
