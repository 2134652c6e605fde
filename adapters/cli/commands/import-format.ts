import { Option } from 'commander';
import { AIP_LOSSES } from '../../../src/aip/index.ts';
import { FORMATS, type Format, type ReadOptions } from '../import/foreign.ts';
import { usageError } from '../output/error.ts';

/** The options of an import about the format that it reads. */
export interface FormatOptions {
  readonly from: Format;
  readonly acceptLoss?: readonly string[];
  readonly domain?: string;
  readonly name?: string;
  readonly currency?: string;
}

/** The options of `FormatOptions`. */
export const FORMAT_OPTIONS: readonly Option[] = [
  new Option('--from <format>', 'own lines, AIP-1 passports and envelopes, or OAP 1.0 templates')
    .choices(FORMATS)
    .default('own'),
  new Option(
    '--accept-loss <names>',
    `restrictions that may be lost, with commas; of aip: ${AIP_LOSSES.join(', ')}`,
  ).argParser((text) => text.split(',')),
  new Option('--domain <domain>', 'of oap: the domain that answers for the agent'),
  new Option('--name <name>', 'of oap: its name there (default: metadata.name)'),
  new Option('--currency <code>', 'of oap: which of its currencies'),
];

/** Returns the options of reading documents; a usage error for options that do not fit together. */
export function readFormat(options: FormatOptions): ReadOptions {
  const { from, acceptLoss = [], domain, name, currency } = options;
  if (from === 'own' && acceptLoss.length > 0) throw usageError('--accept-loss is for --from aip and oap.');
  const unknown = acceptLoss.find((loss) => !isLoss(from, loss));
  if (unknown !== undefined) throw usageError(`--accept-loss of ${from}: ${AIP_LOSSES.join(', ')}.`);
  if (from === 'oap') {
    if (domain === undefined) throw usageError('An OAP passport names no domain: give --domain.');
    return { from, acceptLoss, oap: { domain, name, currency } };
  }
  const isForOap = [domain, name, currency].some((option) => option !== undefined);
  if (isForOap) throw usageError('--domain, --name and --currency are for --from oap.');
  return { from, acceptLoss };
}

/** Returns `true` for the name of a loss; the restrictions of an OAP passport have names of their own. */
function isLoss(from: Format, name: string): boolean {
  return from === 'oap' ? name !== '' : AIP_LOSSES.some((loss) => loss === name);
}
