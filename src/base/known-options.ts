import { IdentityError, unfit } from '../errors.ts';

/**
 * The names of all options; for a union, the names of all its parts. A new option does not compile without an entry
 * here.
 */
export type OptionNames<Options> = Readonly<
  Record<Options extends unknown ? keyof Options & string : never, true>
>;

/**
 * Returns the options after checking them. `maker` is the function that gets the options. `path` is the path of nested
 * options.
 *
 * @throws {IdentityError} `invalid_configuration` if they are not an object, or have an unknown name, so that a
 * misspelt option is not ignored.
 */
export function knownOptions<Options extends object>(
  maker: string,
  options: Options,
  knownNames: OptionNames<Options>,
  path = '',
): Options {
  const names = Object.keys(knownNames);
  if (typeof options !== 'object' || options === null) {
    const label = path === '' ? 'the options are' : `${path.slice(0, -1)} is`;
    throw misconfigured(maker, `${label} no object, such as { ${names[0]} }`);
  }
  const unknownName = Object.keys(options).find((name) => !Object.hasOwn(knownNames, name));
  if (unknownName === undefined) return options;
  const nearest = nearestName(unknownName, names);
  const hint = nearest === undefined ? '' : ` Did you mean ${path}${nearest}?`;
  throw new IdentityError(
    'invalid_configuration',
    `${maker}: there is no option ${JSON.stringify(`${path}${unknownName}`)}.${hint}`,
  );
}

/**
 * Creates the error `invalid_configuration` for a function that is called with wrong arguments. `problem` must not
 * contain the value, which may be a secret.
 */
export function misconfigured(maker: string, problem: string): IdentityError {
  return unfit(`${maker}: ${problem}.`);
}

function nearestName(name: string, names: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | undefined;
  let minimum = limit + 1;
  for (const candidate of names) {
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase());
    if (distance < minimum) [nearest, minimum] = [candidate, distance];
  }
  return nearest;
}

/** The longest name to compare, because the time grows with the length. No known name is longer. */
const MAX_LENGTH = 64;

/** Returns ` Did you mean …?` for a misspelt name; an empty text if no known name is close. */
export function suggestion(name: string, names: readonly string[]): string {
  const nearest = name.length > MAX_LENGTH ? undefined : nearestName(name, names);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** Returns the Levenshtein distance. */
function distanceOf(source: string, target: string): number {
  let row = Array.from({ length: target.length + 1 }, (_, index) => index);
  for (let index = 1; index <= source.length; index += 1) {
    const next = [index];
    for (let column = 1; column <= target.length; column += 1) {
      const replaceCost = (row[column - 1] ?? 0) + (source[index - 1] === target[column - 1] ? 0 : 1);
      next.push(Math.min(replaceCost, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[target.length] ?? 0;
}
