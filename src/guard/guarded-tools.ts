/** Checks tools before an adapter puts them behind a guard. For authors of adapters. */

import { knownOptions, type OptionNames, suggestion } from '../base/known-options.ts';
import { hasDisguise, knownName } from '../base/values/folded-name.ts';
import { IdentityError } from '../errors.ts';
import { isToolGuard, type ToolGuard } from './tool-guard.ts';

/** The options for a set of guarded tools. */
export interface GuardToolsOptions {
  /** `true` if the guard may have tool mappings for tools outside this set. */
  readonly partial?: boolean;
  /**
   * Makes a run wait at the point where the framework asks a person to approve, until the person has decided. Needs a
   * guard with the option `approvals`. MCP has no such point.
   */
  readonly pause?: boolean;
}

const OPTIONS: OptionNames<GuardToolsOptions> = { partial: true, pause: true };

/**
 * Checks a guard and its options.
 *
 * @throws {IdentityError} `invalid_configuration` unless `createToolGuard` made the guard, and for options that do not
 * fit it.
 *
 * @example
 * import { assertToolGuard } from 'agent-identity-service/guard';
 *
 * try {
 *   assertToolGuard({ judge: async () => ({ allowed: true, record: null }) });
 * } catch (error) {
 *   console.log(error.message); // The guard must be one that createToolGuard made.
 * }
 */
export function assertToolGuard(guard: unknown, options: GuardToolsOptions = {}): asserts guard is ToolGuard {
  knownOptions('The guard', options, OPTIONS);
  if (!isToolGuard(guard)) throw unfit('The guard must be one that createToolGuard made.');
  if (options.pause && guard.approvalFor === undefined)
    throw unfit('pause needs a guard with the option approvals.');
}

/**
 * Checks that the guard can stop every tool. `tools` says for each name whether the guard can stop the tool.
 *
 * @throws {IdentityError} `invalid_configuration` if the guard cannot stop a tool before it runs, unless the tool is in
 * `unjudged`. Also thrown for a tool mapping without its tool.
 *
 * @example
 * import { createIdentityService } from 'agent-identity-service';
 * import { assertGuardable, createToolGuard } from 'agent-identity-service/guard';
 * import { memoryStorage } from 'agent-identity-service/storage/memory';
 *
 * const verifier = createIdentityService({ storage: memoryStorage() });
 * const agentId = 'did:web:example.com:agents:shopper';
 * const guard = createToolGuard({ verifier, agentId, tools: { pay: { amount: '/amount' } } });
 * try {
 *   assertGuardable(guard, new Map([['pya', true]]));
 * } catch (error) {
 *   console.log(error.code); // invalid_configuration
 * }
 */
export function assertGuardable(
  guard: ToolGuard,
  tools: ReadonlyMap<string, boolean>,
  options: GuardToolsOptions = {},
): void {
  assertToolGuard(guard, options);
  const { partial = false } = options;
  for (const [name, canStop] of tools) {
    if (!canStop && !guard.unjudged.includes(name)) {
      throw unfit(
        `The tool ${quoted(name)} runs where no guard can stop it: name it in unjudged, or remove it.`,
      );
    }
  }
  const missing = guard.ruleNames.find((name) => !tools.has(name));
  if (missing === undefined || partial) return;
  const hint = suggestion(missing, [...tools.keys()]);
  throw unfit(
    `There is a rule for ${quoted(missing)}, and no such tool.${hint} A guard of several sets of tools takes partial.`,
  );
}

/**
 * Returns `true` if another program may read a member of the message as one of the `names` although the spellings
 * differ. Some servers ignore the case of names, or cut them at U+0000. For authors of adapters that send messages to
 * other servers.
 *
 * @example
 * import { hasDisguisedName } from 'agent-identity-service/guard';
 *
 * console.log(hasDisguisedName({ method: 'tools/call' }, ['method'])); // false
 * console.log(hasDisguisedName({ METHOD: 'tools/call' }, ['method'])); // true
 */
export function hasDisguisedName(message: unknown, names: readonly string[]): boolean {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
  return names.some((name) => hasDisguise(message, knownName(name)));
}

function quoted(name: string): string {
  return JSON.stringify(name);
}

function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}
