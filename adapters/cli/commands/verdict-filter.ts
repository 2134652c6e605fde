import { InvalidArgumentError, Option } from 'commander';
import type { AnalyticsQuery, VerificationFilter } from '../../../src/client.ts';
import { ENVIRONMENTS } from '../../../src/http/index.ts';
import type { FieldOptions } from './command.ts';

export const VERDICT_FIELDS: FieldOptions<VerificationFilter> = {
  ...insightFields('default: both'),
  verdict: new Option('--verdict <verdict>', 'read only verdicts of this kind').choices(['ALLOW', 'DENY']),
  reason: new Option('--reason <code>', 'read only verdicts with this reason code'),
  subject: new Option(
    '--subject <text>',
    'read only verdicts on intents with exactly this subject, the id of the user for whom the agent acts',
  ),
  outcome: new Option(
    '--outcome <outcome>',
    'read only verdicts whose action has this outcome, which the application reports; `none` selects allowed actions without a reported outcome',
  ).choices([...['succeeded', 'failed', 'not_attempted', 'unknown', 'none']]),
  dry_run: new Option(
    '--dry-run <boolean>',
    'with `true`, read only dry runs; with `false`, leave out dry runs (default: both)',
  )
    .choices(['true', 'false'])
    .argParser(readBoolean),
};

function readBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('Allowed choices are true, false.');
}

export function insightFields(environments: string): FieldOptions<Omit<AnalyticsQuery, 'interval'>> {
  return {
    agent_id: new Option('--agent <agent_id>', 'read only verdicts on this agent'),
    environment: new Option(
      '--environment <name>',
      `read only verdicts for API keys of this environment (${environments})`,
    ).choices(ENVIRONMENTS),
    from: new Option('--from <instant>', 'read only verdicts at or after this RFC 3339 instant'),
    to: new Option('--to <instant>', 'read only verdicts before this RFC 3339 instant'),
  };
}
