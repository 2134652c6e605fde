import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AIMessage } from '@langchain/core/messages';
import { expect, onTestFinished, test } from 'vitest';
import { readRecipes, root, SERVICE } from './recipes.mjs';

const recipes = readRecipes();

test('the page has every recipe that was promised', () => {
  expect([...recipes.keys()]).toEqual([
    ...['Fastify', 'Hono', 'Next', 'Nest'],
    ...['LangGraph ToolNode', 'Claude Agent SDK', 'Mastra', 'Strands', 'OpenCode', 'Google ADK'],
  ]);
});

/** The module of a recipe beside the service that it imports, and that service. */
async function load(name: string) {
  const folder = await mkdtemp(join(root, '.build/recipe-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'service.ts'), SERVICE);
  await writeFile(join(folder, 'recipe.ts'), recipes.get(name) ?? '');
  return { recipe: await import(join(folder, 'recipe.ts')), own: await import(join(folder, 'service.ts')) };
}

test.each(['Hono', 'Next'])('%s serves the API, verdicts and errors alike', async (name) => {
  const { recipe, own } = await load(name);
  const handle: (request: Request) => Promise<Response> = recipe.POST ?? recipe.app.fetch;
  const ask = (key: string) =>
    handle(
      new Request('http://shop.example/api/verify', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify(own.intent),
      }),
    );
  expect(await (await ask(own.key)).json()).toMatchObject({ verdict: 'ALLOW' });
  expect((await ask('wrong')).status).toBe(401);
});

test('LangGraph ToolNode runs what is allowed, and gives the model the denials', async () => {
  const { recipe, own } = await load('LangGraph ToolNode');
  const answerTo = async (args: object) => {
    const call = { name: 'pay', args: { ...args }, id: 'call-1', type: 'tool_call' as const };
    const { messages } = await recipe.node.invoke({
      messages: [new AIMessage({ content: '', tool_calls: [call] })],
    });
    return messages[0];
  };
  expect(await answerTo({ cents: 1 })).toMatchObject({ content: 'paid' });
  expect(await answerTo({ cents: 10_001 })).toMatchObject({
    status: 'error',
    content: expect.stringMatching(/DENY dec_\w+: The amount is over the limit/),
  });
  expect(own.payees.ran).toEqual([{ cents: 1 }]);
});
