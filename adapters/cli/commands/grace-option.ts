import { InvalidArgumentError, Option } from 'commander';

/** Returns `--grace-seconds` of a command that replaces a secret. */
export function graceOption(description: string): Option {
  return new Option('--grace-seconds <number>', `${description}, 0 to 604800 (a week)`)
    .default(0)
    .argParser(readSeconds);
}

/** Reads a number of seconds; the service checks the maximum. */
function readSeconds(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}
