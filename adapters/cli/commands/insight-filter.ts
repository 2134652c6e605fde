import { type Command, Option } from 'commander';
import { ENVIRONMENTS } from '../../../src/http/index.ts';
import type { Environment } from '../../../src/index.ts';
import type { BackendOptions } from '../backend/verbs.ts';

/** The options that say which verdicts are meant. */
export interface InsightOptions extends BackendOptions {
  readonly agent?: string;
  readonly environment?: Environment;
  readonly from?: string;
  readonly to?: string;
}

/** Adds the options of `InsightOptions`. */
export function addInsightOptions(command: Command, environments: string): Command {
  return command
    .option('--agent <agent_id>', 'only this agent')
    .addOption(
      new Option(
        '--environment <name>',
        `only what keys of this environment asked (${environments})`,
      ).choices(ENVIRONMENTS),
    )
    .option('--from <instant>', 'only verdicts from this RFC 3339 instant on')
    .option('--to <instant>', 'only verdicts before this RFC 3339 instant');
}

/** The filter as the service takes it. */
export function insightFilter({ agent, environment, from, to }: InsightOptions): {
  readonly agent_id?: string;
  readonly environment?: Environment;
  readonly from?: string;
  readonly to?: string;
} {
  return {
    ...(agent !== undefined && { agent_id: agent }),
    ...(environment && { environment }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}
