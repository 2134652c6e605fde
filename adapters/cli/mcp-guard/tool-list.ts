/**
 * Checks that a server lists the tool of each tool mapping, and determines which tools the client may see. A tool
 * mapping turns a call of a tool into an intent.
 */
import { assertGuardable, type ToolGuard } from '../../../src/guard/index.ts';
import { hiddenTools, noList } from '../../guards/mcp/index.ts';
import { type Message, type RequestId, tryReadMessage, writeMessage } from './message.ts';

interface ListedTool {
  readonly name: string;
}

export interface ToolLists {
  expect(id: RequestId, params: unknown): void;
  /**
   * Returns the line for the client. Rejects with `invalid_configuration` if a complete list lacks the tool of a tool
   * mapping.
   */
  lineFor(line: Uint8Array): Promise<string | Uint8Array>;
}

export interface ListOptions {
  /** The names of evaluated requests that are not tools. A tool mapping may exist for them. */
  readonly others: Iterable<string>;
  /** `true` if tool mappings may be for tools of other servers. */
  readonly isPartial: boolean;
  readonly onMissing: (names: readonly string[]) => void;
  /** `true` to leave out tools that are always denied. */
  readonly isHiding: boolean;
}

export function watchToolLists(
  guard: ToolGuard,
  { others, isPartial, onMissing, isHiding }: ListOptions,
): ToolLists {
  const expectedMap = new Map<string, boolean>();
  let names = new Map<string, boolean>();
  let hasListed = false;

  /** Compares the tool mappings with the tools, after the last page of a list. */
  function endList(): void {
    for (const name of others) names.set(name, true);
    assertGuardable(guard, names, { partial: isPartial });
    const missing = guard.ruleNames.filter((name) => !names.has(name));
    if (missing.length > 0 && !hasListed) onMissing(missing);
    hasListed = true;
  }

  async function listed(message: Message, isFirst: boolean): Promise<Message> {
    const { tools, nextCursor } = Object(message['result']) as {
      readonly tools?: unknown;
      readonly nextCursor?: unknown;
    };
    if (!Array.isArray(tools)) return message;
    if (isFirst) names = new Map();
    const ownTools: readonly ListedTool[] = tools.filter((tool) => typeof Object(tool).name === 'string');
    for (const { name } of ownTools) names.set(name, true);
    if (typeof nextCursor !== 'string') endList();
    if (!isHiding) return message;
    const hiddenNames = await hiddenTools(
      guard,
      ownTools.map(({ name }) => name),
    ).catch(() => undefined);
    if (hiddenNames === undefined) return noList(message['id']) as Message;
    const shownTools = ownTools.filter(({ name }) => !hiddenNames.has(name));
    return { ...message, result: { ...Object(message['result']), tools: shownTools } };
  }

  return {
    expect(id, params) {
      const { cursor } = Object(params) as { readonly cursor?: unknown };
      expectedMap.set(JSON.stringify(id), cursor === undefined || cursor === null);
    },
    // A line that another parser may read differently is not examined: it can only make a list longer.
    async lineFor(line) {
      if (expectedMap.size === 0) return line;
      const message = Object(tryReadMessage(line)) as Message;
      const key = JSON.stringify(message['id']);
      const isFirst = Object.hasOwn(message, 'method') ? undefined : expectedMap.get(key);
      if (isFirst === undefined) return line;
      expectedMap.delete(key);
      const list = await listed(message, isFirst);
      return list === message ? line : writeMessage(list).slice(0, -1);
    },
  };
}
