import { suggestion } from '../base/known-options.ts';
import { IdentityError } from '../errors.ts';

/** Throws `invalid_configuration` with the message `problem` if the condition is false. */
export function requireOption(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new IdentityError('invalid_configuration', `createToolGuard: ${problem}`);
}

/**
 * Throws `invalid_configuration` for a member of `given` that is not in `known`. The message is `problem` and the name
 * of the member.
 */
export function requireKnown(given: object, known: readonly string[], problem: string): void {
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger !== undefined) requireOption(false, `${problem}${stranger}.${suggestion(stranger, known)}`);
}
