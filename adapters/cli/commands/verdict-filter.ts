import { type Command, Option } from 'commander';
import type { VerificationFilter } from '../../../src/client.ts';
import { addInsightOptions, type InsightOptions, insightFilter } from './insight-filter.ts';

/** The options that say which records of the journal are meant. */
export interface VerdictOptions extends InsightOptions {
  readonly verdict?: 'ALLOW' | 'DENY';
  readonly reason?: string;
  readonly dryRun?: 'true' | 'false';
  readonly subject?: string;
}

/** Adds the options of `VerdictOptions`. */
export function addVerdictOptions(command: Command): Command {
  return addInsightOptions(command, 'default: both')
    .addOption(new Option('--verdict <verdict>', 'only these').choices(['ALLOW', 'DENY']))
    .option('--reason <code>', 'only with a reason of this code')
    .option('--subject <text>', 'only for this subject, exactly')
    .addOption(
      new Option('--dry-run <boolean>', 'only dry runs, or none of them (default: both)').choices([
        'true',
        'false',
      ]),
    );
}

/** The filter as the service takes it. */
export function verdictFilter(options: VerdictOptions): VerificationFilter {
  const { verdict, reason, dryRun, subject } = options;
  return {
    ...insightFilter(options),
    ...(verdict && { verdict }),
    ...(reason !== undefined && { reason }),
    ...(dryRun !== undefined && { dry_run: dryRun === 'true' }),
    ...(subject !== undefined && { subject }),
  };
}
