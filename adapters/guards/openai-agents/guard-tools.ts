import { assertGuardable, type GuardToolsOptions, type ToolGuard } from '../../../src/guard/index.ts';
import { denialText } from './denial-text.ts';

type Invoke = (context: unknown, input: string, details?: Details) => Promise<unknown>;
type Details = { readonly signal?: AbortSignal; readonly toolCall?: { readonly callId?: string } };
type FunctionTool = { readonly name: string; readonly invoke?: Invoke; readonly outputSchema?: unknown };

/**
 * Makes guarded copies of the tools, which run on ALLOW only. The model gets the reasons of a DENY; a tool with an
 * `outputSchema`, which a text does not fit, throws `tool_denied` instead.
 */
export function guardTools<Tools extends readonly { readonly name: string }[]>(
  tools: Tools,
  guard: ToolGuard,
  options?: GuardToolsOptions,
): Tools {
  const all: readonly FunctionTool[] = tools;
  assertGuardable(
    guard,
    new Map(all.map(({ name, invoke }) => [name, typeof invoke === 'function'])),
    options,
  );
  return all.map((tool) => guarded(tool, guard)) as unknown as Tools;
}

function guarded(tool: FunctionTool, guard: ToolGuard): FunctionTool {
  const { name, invoke, outputSchema } = tool;
  if (invoke === undefined || guard.unjudged.includes(name)) return tool;
  const wrapped: Invoke = async (context, input, details) => {
    const { signal, toolCall: { callId: id } = {} } = details ?? {};
    const call = {
      name,
      args: parsed(input),
      context,
      ...(id !== undefined && { id }),
      ...(signal && { signal }),
    };
    try {
      // The SDK parses the text again: it gets the arguments that were judged, as text.
      return await guard.run(call, (judged) => invoke.call(tool, context, JSON.stringify(judged), details));
    } catch (error) {
      const text = denialText(error);
      if (text === undefined || outputSchema !== undefined) throw error;
      return text;
    }
  };
  const copy: object = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool));
  return Object.defineProperty(copy, 'invoke', { value: wrapped, enumerable: true }) as FunctionTool;
}

/**
 * Parses the arguments. Text that is not JSON is judged and passed on as one JSON string, in which no parser sees
 * members.
 */
function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
