import { IdentityError } from '../errors.ts';
import { nearestName } from './nearest-name.ts';

/** The names of all options; for a union, those of every part. A new option does not compile without its row. */
export type OptionNames<Options> = Readonly<
  Record<Options extends unknown ? keyof Options & string : never, true>
>;

/**
 * Returns the options given to `maker`. Throws `invalid_configuration` when they are not an object, and for an unknown
 * option: a misspelt name must not mean a default. `path` names the options of an option.
 */
export function knownOptions<Options extends object>(
  maker: string,
  options: Options,
  known: OptionNames<Options>,
  path = '',
): Options {
  const names = Object.keys(known);
  if (typeof options !== 'object' || options === null) {
    const what = path === '' ? 'the options are' : `${path.slice(0, -1)} is`;
    throw misconfigured(maker, `${what} no object, such as { ${names[0]} }`);
  }
  const stranger = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (stranger === undefined) return options;
  const nearest = nearestName(stranger, names);
  const hint = nearest === undefined ? '' : ` Did you mean ${path}${nearest}?`;
  throw new IdentityError(
    'invalid_configuration',
    `${maker}: there is no option ${JSON.stringify(`${path}${stranger}`)}.${hint}`,
  );
}

/**
 * Makes the `invalid_configuration` of a function that is called wrongly; `problem` must not contain the value, which
 * may be a secret.
 */
export function misconfigured(maker: string, problem: string): IdentityError {
  return new IdentityError('invalid_configuration', `${maker}: ${problem}.`);
}
