import { suggestion } from '../base/known-options.ts';
import { IdentityError } from '../errors.ts';

export function requireOption(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new IdentityError('invalid_configuration', `createToolGuard: ${problem}`);
}

export function requireKnown(input: object, knownNames: readonly string[], problem: string): void {
  const unknownName = Object.keys(input).find((name) => !knownNames.includes(name));
  if (unknownName !== undefined)
    requireOption(false, `${problem}${unknownName}.${suggestion(unknownName, knownNames)}`);
}
