import { Option } from 'commander';
import type { AnalyticsQuery } from '../../../src/client.ts';
import { ENVIRONMENTS } from '../../../src/http/index.ts';
import type { FieldOptions } from './verb.ts';

/** Returns the options that choose verdicts by agent, environment and time; the text names the default environments. */
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
