/** Provides the tools that the scopes of a management key permit, and calls them. */
import type { AdminClient } from '../../src/client.ts';
import { type Scope, withIncluded } from '../../src/http/index.ts';
import { IdentityError } from '../../src/index.ts';
import { answerOf, errorAnswer, shownRecord, type ToolAnswer } from './answers.ts';
import { checkedArguments, type Given } from './arguments.ts';
import type { Bounded } from './bounded.ts';
import type { ShownPage } from './records.ts';
import { scopeOf } from './rows.ts';
import { TOOLS, type Tool } from './tools.ts';

/** The tools of one key, for one process. */
export interface Assistant {
  readonly tools: readonly Tool[];
  /** Calls a tool. An error of the service becomes an answer with `isError`. */
  call(name: string, value: unknown): Promise<ToolAnswer>;
}

/** The scopes that an assistant's key must not have, because they permit too much. */
const REFUSED: readonly Scope[] = ['passports:write', 'keys:write', 'webhooks:write', 'reinstate'];

const MAX_WRITES = 20;

/**
 * Creates the tools of a management key.
 *
 * @throws {IdentityError} `insufficient_scope` for a key with a refused scope, and each error of `GET /account`.
 */
export async function openAssistant(admin: AdminClient): Promise<Assistant> {
  const scopes = withIncluded(await allowedScopes(admin));
  const isAllowed = ({ calls }: Tool): boolean => calls.every((name) => scopes.includes(scopeOf(name)));
  const tools = TOOLS.filter(isAllowed);
  const countWrite = writeCounter(admin);

  async function answerTo({ known, isWrite, run }: Tool, value: unknown): Promise<Bounded> {
    const args = checkedArguments(known, value);
    if (isWrite) await countWrite();
    return shownAnswer((extra) => run(admin, { ...args, ...extra }));
  }

  return {
    tools,
    async call(name, value) {
      try {
        const tool = tools.find((tool) => tool.name === name);
        if (tool === undefined)
          throw new IdentityError(
            'insufficient_scope',
            'The scopes of the key allow no such tool. List the tools.',
          );
        return answerOf(await answerTo(tool, value));
      } catch (error) {
        return errorAnswer(error);
      }
    },
  };
}

async function allowedScopes({ account }: Pick<AdminClient, 'account'>): Promise<readonly Scope[]> {
  const { key } = await account();
  if (key === undefined)
    throw new IdentityError(
      'unauthenticated',
      'The credential is no management key: that begins with ais_manage_.',
    );
  const refusedScopes = REFUSED.filter((scope) => key.scopes.includes(scope));
  if (refusedScopes.length === 0) return key.scopes;
  throw new IdentityError(
    'insufficient_scope',
    `An assistant must not hold ${refusedScopes.join(', ')}. Create another key, with passports:propose.`,
  );
}

/** Creates the counter of writes. Each write reads the scopes again, because they may have changed. */
function writeCounter(admin: AdminClient): () => Promise<void> {
  let count = 0;
  return async () => {
    if (count >= MAX_WRITES) {
      throw new IdentityError(
        'rate_limited',
        `The process has made ${MAX_WRITES} changes, the most that it may make. Restart it.`,
      );
    }
    count += 1;
    await allowedScopes(admin);
  };
}

/**
 * Returns the answer. If a page is too long, requests a page with only as many items as fit. Otherwise, the cursor
 * would skip the cut items.
 */
async function shownAnswer(run: (values: Given) => Promise<object>): Promise<Bounded> {
  const record = await run({});
  const shownView = shownRecord(record);
  const [total, fitting] = [lengthOf(record), lengthOf(shownView)];
  if (fitting === total) return shownView;
  if (fitting === 0) return { ...shownView, has_more: true, next_cursor: null };
  return { ...shownRecord(await run({ limit: fitting })), truncated: true };
}

function lengthOf(record: object): number {
  const { data, next_cursor } = record as Partial<ShownPage>;
  return Array.isArray(data) && next_cursor !== undefined ? data.length : 0;
}
