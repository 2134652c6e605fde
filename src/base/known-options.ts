import { IdentityError } from '../errors.ts';
import { nearestName } from './nearest-name.ts';

/** The names of all options, of a union those of every part: a new option does not compile without its row. */
export type OptionNames<Options> = Readonly<Record<NamesOf<Options>, true>>;

type NamesOf<Options> = Options extends unknown ? keyof Options & string : never;

/**
 * The options as they were given to `maker`; `invalid_configuration` for what is no object, and for one with an option
 * that is not known: a misspelt name must not pass for a default. `path` is that of an option that has options itself.
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
    throw unfit(`${maker}: ${what} no object, such as { ${names[0]} }.`);
  }
  const stranger = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (stranger === undefined) return options;
  const nearest = nearestName(stranger, names);
  const hint = nearest === undefined ? '' : ` Did you mean ${path}${nearest}?`;
  throw unfit(`${maker}: there is no option ${JSON.stringify(`${path}${stranger}`)}.${hint}`);
}

function unfit(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}
