import { InvalidArgumentError, Option } from 'commander';
import type { AnalyticsQuery, VerificationFilter } from '../../../src/client.ts';
import { verificationOperations } from '../../../src/core/insight/operations.ts';
import { type Flag, flagsOf } from './operation-flags.ts';

export const VERDICT_FLAGS: { readonly [Field in keyof VerificationFilter]?: Flag } = {
  ...insightFlags('default: both'),
  verdict: '<verdict> read only verdicts of this kind',
  reason: '<code> read only verdicts with this reason code',
  subject:
    '<text> read only verdicts on intents with exactly this subject, the id of the user for whom the agent acts',
  outcome:
    '<outcome> read only verdicts whose action has this outcome, which the application reports; `none` selects allowed actions without a reported outcome',
  dry_run: new Option(
    '--dry-run <boolean>',
    'with `true`, read only dry runs; with `false`, leave out dry runs (default: both)',
  )
    .choices(['true', 'false'])
    .argParser(readBoolean),
};

export const VERDICT_FIELDS: Readonly<Record<string, Option>> = flagsOf(
  verificationOperations.operations.list,
  { ...VERDICT_FLAGS, limit: false },
);

function readBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('Allowed choices are true, false.');
}

export function insightFlags(
  environments: string,
): Readonly<Record<Exclude<keyof AnalyticsQuery, 'interval'>, string>> {
  return {
    agent_id: '--agent <agent_id> read only verdicts on this agent',
    environment: `<name> read only verdicts for API keys of this environment (${environments})`,
    from: '<instant> read only verdicts at or after this RFC 3339 instant',
    to: '<instant> read only verdicts before this RFC 3339 instant',
  };
}
