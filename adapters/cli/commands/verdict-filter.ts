import { InvalidArgumentError, Option } from 'commander';
import type { AnalyticsQuery, VerificationFilter } from '../../../src/client.ts';
import { ENVIRONMENTS } from '../../../src/http/index.ts';
import type { FieldOptions } from './verb.ts';

/** The options that filter records of the journal. */
export const VERDICT_FIELDS: FieldOptions<VerificationFilter> = {
  ...insightFields('default: both'),
  verdict: new Option('--verdict <verdict>', 'only these').choices(['ALLOW', 'DENY']),
  reason: new Option('--reason <code>', 'only with a reason of this code'),
  subject: new Option('--subject <text>', 'only for this subject, exactly'),
  outcome: new Option('--outcome <outcome>', 'only with this outcome; none: allowed, no report').choices([
    ...['succeeded', 'failed', 'not_attempted', 'unknown', 'none'],
  ]),
  dry_run: new Option('--dry-run <boolean>', 'only dry runs, or none of them (default: both)')
    .choices(['true', 'false'])
    .argParser(readBoolean),
};

function readBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('Allowed choices are true, false.');
}

/** Returns the options that filter verdicts by agent, environment and time. The text names the default environments. */
export function insightFields(environments: string): FieldOptions<Omit<AnalyticsQuery, 'interval'>> {
  return {
    agent_id: new Option('--agent <agent_id>', 'only this agent'),
    environment: new Option(
      '--environment <name>',
      `only what keys of this environment asked (${environments})`,
    ).choices(ENVIRONMENTS),
    from: new Option('--from <instant>', 'only verdicts from this RFC 3339 instant on'),
    to: new Option('--to <instant>', 'only verdicts before this RFC 3339 instant'),
  };
}
