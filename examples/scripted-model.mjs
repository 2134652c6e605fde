// Stands in for a language model, so that agent-framework.mjs runs without a network and without a bill.
import { MockLanguageModelV3 } from 'ai/test';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/**
 * A model that calls the tool once per amount, one after the other, and then ends.
 *
 * @param {string} toolName
 * @param {readonly number[]} amounts
 */
export function scriptedModel(toolName, amounts) {
  let step = 0;
  return new MockLanguageModelV3({
    async doGenerate() {
      const amount = amounts[step++];
      if (amount === undefined) return answer({ type: 'text', text: 'Done.' }, 'stop');
      const call = { toolCallId: `call-${step}`, toolName, input: JSON.stringify({ amount }) };
      return answer({ type: 'tool-call', ...call }, 'tool-calls');
    },
  });
}

function answer(content, unified) {
  return { content: [content], finishReason: { unified, raw: undefined }, usage, warnings: [] };
}
