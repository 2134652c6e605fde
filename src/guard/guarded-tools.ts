/** For authors of adapters: what has to hold before tools are behind a guard. */
import { hasDisguise, knownName } from '../base/folded-name.ts';
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { suggestion } from '../base/nearest-name.ts';
import { IdentityError } from '../errors.ts';
import { isToolGuard, type ToolGuard } from './tool-guard.ts';

/** How a set of tools is put behind a guard. */
export interface GuardToolsOptions {
  /** The guard may have rules for tools that are not in this set. */
  readonly partial?: boolean;
}

const OPTIONS: OptionNames<GuardToolsOptions> = { partial: true };

/** `invalid_configuration` for anything but a guard that `createToolGuard` made, and for unknown options. */
export function assertToolGuard(guard: unknown, options: GuardToolsOptions = {}): asserts guard is ToolGuard {
  knownOptions('The guard', options, OPTIONS);
  if (!isToolGuard(guard)) throw unfit('The guard must be one that createToolGuard made.');
}

/**
 * `invalid_configuration` for a tool that cannot be stopped and is not `unjudged`, and for a rule whose tool is not
 * there. `tools` is whether each can be stopped, by its name.
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
 * Whether a member of the message is none of the `known` ones and may be read as one: some servers compare names without
 * their case, or end them at U+0000. For authors of adapters whose messages go to servers of others.
 */
export function hasDisguisedName(message: unknown, known: readonly string[]): boolean {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
  return known.some((name) => hasDisguise(message, knownName(name)));
}

function quoted(name: string): string {
  return JSON.stringify(name);
}

function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}
