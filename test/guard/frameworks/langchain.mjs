/** The tool `pay` of a LangChain agent behind a guard. */
import { guardMiddleware } from 'agent-identity-service/guard/langchain';
import { AIMessage, createAgent, fakeModel, HumanMessage, tool } from 'langchain';
import { z } from 'zod';

/** What the agent makes of one call of the model: the messages of tools, or what the run threw. */
export async function callTool({ guard, args, signal, isStreamed, isFailing, schema, middleware = [] }) {
  const ran = [];
  const pay = tool(
    async (given) => {
      ran.push(given);
      if (isFailing) throw new Error('The bank is closed.');
      return 'paid';
    },
    { name: 'pay', description: 'Pays.', schema: schema ?? z.object({ cents: z.number().nullish() }) },
  );
  const model = fakeModel()
    .respondWithTools([{ name: 'pay', args, id: 'call-1' }])
    .respond(new AIMessage('Done.'));
  const agent = createAgent({ model, tools: [pay], middleware: [...middleware, guardMiddleware(guard)] });
  const question = { messages: [new HumanMessage('Pay.')] };
  const options = signal === undefined ? {} : { signal };
  const messages = [];
  let error;
  try {
    if (isStreamed) {
      for await (const step of await agent.stream(question, { ...options, streamMode: 'updates' })) {
        messages.push(...Object.values(step).flatMap((update) => update?.messages ?? []));
      }
    } else {
      messages.push(...(await agent.invoke(question, options)).messages);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { ran, error, messages: messages.filter(({ type }) => type === 'tool') };
}

/** Every way through the agent, for the matrix. */
export const WAYS = [{ name: 'invoke' }, { name: 'stream', isStreamed: true }];
