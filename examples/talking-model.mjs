// Stands in for a language model, so that metered-model.mjs runs without a network and without a bill.
import { MockLanguageModelV3 } from 'ai/test';

const id = '1';
const usage = {
  inputTokens: { total: 45, noCache: 45, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};

/** Returns a model that answers with one word, and streams words without an end. */
export function talkingModel() {
  return new MockLanguageModelV3({
    async doGenerate() {
      const finishReason = { unified: /** @type {const} */ ('stop'), raw: undefined };
      const text = { type: /** @type {const} */ ('text'), text: 'Hello' };
      return { content: [text], finishReason, usage, warnings: [] };
    },
    async doStream() {
      const start = (controller) => controller.enqueue({ type: 'text-start', id });
      const pull = (controller) => controller.enqueue({ type: 'text-delta', id, delta: 'word ' });
      return { stream: new ReadableStream({ start, pull }) };
    },
  });
}
