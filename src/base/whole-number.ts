import { IdentityError } from '../errors.ts';

/** The number under this name, when it is whole and between the two, or `invalid_configuration`. */
export function wholeNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const [from, to] = [least, most].map((bound) => bound.toLocaleString('en'));
  throw new IdentityError('invalid_configuration', `${name} must be a whole number from ${from} to ${to}.`);
}
