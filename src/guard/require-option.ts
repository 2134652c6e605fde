import { suggestion } from '../base/known-options.ts';
import { IdentityError } from '../errors.ts';

export function requireOption(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new IdentityError('invalid_configuration', `createToolGuard: ${problem}`);
}

export function requireKnown(given: object, known: readonly string[], problem: string): void {
  const unknownName = Object.keys(given).find((name) => !known.includes(name));
  if (unknownName !== undefined)
    requireOption(false, `${problem}${unknownName}.${suggestion(unknownName, known)}`);
}
