import { type Command, Option } from 'commander';
import { AIP_LOSSES } from '../../../src/aip/index.ts';
import { FORMATS, type Format, type ReadOptions } from '../import/foreign.ts';
import { usageError } from '../output/error.ts';

/** Which format an import reads, and how. */
export interface FormatOptions {
  readonly from: Format;
  readonly acceptLoss?: readonly string[];
  readonly domain?: string;
  readonly name?: string;
  readonly currency?: string;
}

/** The options of `FormatOptions`. */
export function addFormatOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--from <format>', 'own lines, AIP-1 passports and envelopes, or OAP 1.0 templates')
        .choices(FORMATS)
        .default('own'),
    )
    .addOption(
      new Option(
        '--accept-loss <names>',
        `restrictions that may be lost, with commas; of aip: ${AIP_LOSSES.join(', ')}`,
      ).argParser((text) => text.split(',')),
    )
    .option('--domain <domain>', 'of oap: the domain that answers for the agent')
    .option('--name <name>', 'of oap: its name there (default: metadata.name)')
    .option('--currency <code>', 'of oap: which of its currencies');
}

/** How documents are read; a usage error for options that do not fit together. */
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

/** What an OAP passport restricts has names of its own. */
function isLoss(from: Format, name: string): boolean {
  return from === 'oap' ? name !== '' : AIP_LOSSES.some((loss) => loss === name);
}
