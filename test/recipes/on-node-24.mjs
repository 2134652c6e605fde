/** Run by run.mjs in its folder: Fastify, Nest, Mastra, and `ai` 7. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Module } from '@nestjs/common';
import { callTool, WAYS } from './ai-sdk.mjs';
import { app as fastifyApp } from './fastify.ts';
import { pay } from './mastra.ts';
import { failuresOf } from './matrix.mjs';
import { open } from './nest.ts';
import { intent, key, payees } from './service.ts';

/** A verdict over HTTP, and an error. */
async function assertServes(name, origin) {
  const ask = (apiKey) =>
    fetch(`${origin}/api/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify(intent),
    });
  const { verdict } = await (await ask(key)).json();
  assert.equal(verdict, 'ALLOW', name);
  assert.equal((await ask('wrong')).status, 401, name);
  console.log(`${name}: serves the API`);
}

await assertServes('Fastify', await fastifyApp.listen({ port: 0, host: '127.0.0.1' }));
await fastifyApp.close();

class AppModule {}
Module({})(AppModule);
const nest = await open(AppModule);
const server = await nest.listen(0, '127.0.0.1');
if (!server.listening) await once(server, 'listening');
await assertServes('Nest', `http://127.0.0.1:${server.address().port}`);
await nest.close();

assert.equal(await pay.execute({ cents: 1 }, {}), 'paid');
for (const args of [{ cents: 10_001 }, {}]) {
  const outcome = await Promise.resolve(pay.execute(args, {})).catch((error) => error);
  assert.notEqual(outcome, 'paid');
}
assert.deepEqual(payees.ran, [{ cents: 1 }]);
console.log('Mastra: runs what is allowed, and nothing else');

for (const way of WAYS) {
  const failures = await failuresOf(
    async (guard, args, { signal }) => (await callTool({ ...way, guard, args, signal })).ran,
    way === WAYS[0] ? 100 : 10,
  );
  assert.deepEqual(failures, [], way.name);
}
assert.equal(
  WAYS.some(({ isAsked }) => isAsked),
  true,
  'toolApproval of ai 7 is among them',
);
console.log(`ai 7: the matrix holds in ${WAYS.length} ways`);
process.exit(0);
