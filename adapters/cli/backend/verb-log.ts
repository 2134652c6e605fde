import type { Logger } from '../../../src/index.ts';
import { usageError } from '../output/error.ts';
import { createLogger } from '../serve/logger.ts';

/**
 * Returns the log of a command that works on a storage: it logs changes as `serve` does when `AGENT_IDENTITY_LOG` names a
 * format, otherwise nothing.
 */
export function verbLog(): { readonly log?: Logger } {
  const format = process.env['AGENT_IDENTITY_LOG'];
  if (format === undefined) return {};
  if (format === 'text' || format === 'json') return { log: createLogger(format) };
  throw usageError('AGENT_IDENTITY_LOG must be text or json.');
}
