import { IdentityError } from '../../errors.ts';

/**
 * Returns the number if it is whole and in range.
 *
 * @throws {IdentityError} `invalid_configuration` with the name of the option otherwise.
 */
export function wholeNumber(
  name: string,
  value: number,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  const [minimum, maximum] = [from, to].map((limit) => limit.toLocaleString('en'));
  throw new IdentityError(
    'invalid_configuration',
    `${name} must be a whole number from ${minimum} to ${maximum}.`,
  );
}
