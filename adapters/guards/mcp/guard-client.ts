import {
  assertGuardable,
  assertToolGuard,
  type GuardToolsOptions,
  IdentityError,
  type ToolGuard,
} from '../../../src/guard/index.ts';
import { keptRuns } from './kept-runs.ts';

type Method = (...args: readonly unknown[]) => Promise<unknown>;
type Params = { readonly name?: unknown; readonly arguments?: unknown };
type ToolList = { readonly tools: readonly { readonly name: string }[]; readonly nextCursor?: string };

/** What leads around `callTool`. */
const UNGUARDED: readonly unknown[] = ['experimental', 'requestStream'];

/**
 * The client, whose calls of tools are sent on ALLOW only; a DENY is thrown as `tool_denied`. Before the first call it
 * lists the tools of the server: `invalid_configuration` for a rule whose tool is not among them.
 */
export function guardClient<Client extends object>(
  client: Client,
  guard: ToolGuard,
  options: GuardToolsOptions = {},
): Client {
  assertToolGuard(guard);
  const methods = client as unknown as Readonly<Record<'callTool' | 'request' | 'listTools', Method>>;
  const kept = keptRuns(guard);
  let checked: Promise<void> | undefined;

  async function check(): Promise<void> {
    const names = new Map<string, boolean>();
    let cursor: string | undefined;
    do {
      const page = (await methods.listTools(cursor === undefined ? undefined : { cursor })) as ToolList;
      for (const { name } of page.tools) names.set(name, true);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assertGuardable(guard, names, options);
  }

  async function call(
    given: unknown,
    rest: readonly unknown[],
    send: (params: Params) => Promise<unknown>,
  ): Promise<unknown> {
    const params: Params = { ...Object(given) };
    const signal = rest.map((part) => (Object(part) as { signal?: AbortSignal }).signal).find(Boolean);
    if (guard.ruleNames.length > 0 && options.partial !== true) {
      checked ??= check();
      await checked.catch((error: unknown) => {
        checked = undefined;
        throw error;
      });
    }
    const { name, arguments: args } = params;
    const run = await guard.begin({
      name: name as string,
      args,
      ...(signal && { signal }),
      ...kept.take(params),
    });
    const result = await send({ ...params, ...(run.args !== undefined && { arguments: run.args }) });
    await kept.settle(run, result);
    return result;
  }

  return new Proxy(client, {
    get(target, name) {
      if (UNGUARDED.includes(name)) throw unguarded(String(name));
      if (name === 'callTool') {
        return (params: unknown, ...rest: readonly unknown[]) =>
          call(params, rest, (own) => methods.callTool(own, ...rest));
      }
      if (name === 'request') {
        return (request: unknown, ...rest: readonly unknown[]) => {
          const { method, params } = Object(request) as { method?: unknown; params?: unknown };
          if (method !== 'tools/call') return methods.request(request, ...rest);
          return call(params, rest, (own) =>
            methods.request({ ...Object(request), method, params: own }, ...rest),
          );
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function unguarded(name: string): IdentityError {
  return new IdentityError('invalid_configuration', `A guarded client has no ${name}: use callTool.`);
}
