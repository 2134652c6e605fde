/** The tool `pay` in the Vercel AI SDK, 6 or 7, behind a guard. */

import { approvalOf, guardTools } from 'agent-identity-service/guard/ai-sdk';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';

const isSeven = MockLanguageModelV4 !== undefined;
const Model = MockLanguageModelV4 ?? MockLanguageModelV3;
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const inputSchema = z.object({ cents: z.number().nullish() });

/** A model that calls `pay` once with these arguments, or with this text of them, and then ends. */
function modelOf(args) {
  const input = typeof args === 'string' ? args : JSON.stringify(args);
  const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'pay', input };
  const reason = (unified) => ({ unified, raw: undefined });
  let step = 0;
  return new Model({
    async doGenerate() {
      step += 1;
      const isFirst = step === 1;
      const content = [isFirst ? call : { type: 'text', text: 'Done.' }];
      return { content, finishReason: reason(isFirst ? 'tool-calls' : 'stop'), usage, warnings: [] };
    },
    async doStream() {
      step += 1;
      const isFirst = step === 1;
      const finish = { type: 'finish', finishReason: reason(isFirst ? 'tool-calls' : 'stop'), usage };
      const start = { type: 'stream-start', warnings: [] };
      return { stream: convertArrayToReadableStream([start, ...(isFirst ? [call] : []), finish]) };
    },
  });
}

/** The kinds of tools, each of which notes what it is run with; `end` gives or throws what comes last. */
const TOOLS = {
  'an async function': (ran, end) => async (args) => {
    ran.push(args);
    return end();
  },
  'an async generator': (ran, end) =>
    async function* (args) {
      ran.push(args);
      yield 'paying';
      yield end();
    },
  'a function that returns a stream': (ran, end) => (args) => {
    ran.push(args);
    return (async function* () {
      yield 'paying';
      yield end();
    })();
  },
};

function bankIsClosed() {
  throw new Error('The bank is closed.');
}

/** What the model gets of a call: the parts of the run that are about the tool. */
export async function callTool({ guard, args, signal, kind = 'an async function', ...how }) {
  const { isStreamed, isAsked, isFailing } = how;
  const ran = [];
  const execute = TOOLS[kind](ran, isFailing ? bankIsClosed : () => 'paid');
  const pay = tool({ description: 'Pays.', inputSchema, execute });
  const options = {
    model: modelOf(args),
    tools: guardTools({ pay }, guard),
    stopWhen: stepCountIs(3),
    prompt: 'Pay.',
    ...(signal !== undefined && { abortSignal: signal }),
    ...(isAsked && { toolApproval: approvalOf(guard) }),
  };
  const parts = [];
  try {
    if (isStreamed) {
      const result = streamText({ ...options, onError: () => {} });
      for await (const part of result.fullStream) parts.push(part);
    } else {
      const { steps } = await generateText(options);
      parts.push(...steps.flatMap(({ content }) => content));
    }
  } catch (error) {
    parts.push({ type: 'thrown', error });
  }
  return { ran, parts: parts.filter(({ type }) => /^(?:tool-|thrown)/.test(type)) };
}

/** Every way through the SDK, for the matrix. */
export const WAYS = Object.keys(TOOLS).flatMap((kind) => [
  { name: `generateText, ${kind}`, kind },
  { name: `streamText, ${kind}`, kind, isStreamed: true },
  ...(isSeven ? [{ name: `toolApproval, ${kind}`, kind, isAsked: true }] : []),
]);
