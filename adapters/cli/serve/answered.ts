import type { ServerResponse } from 'node:http';
import type { Logger } from '../../../src/index.ts';

export function watchAnswer(answeredPromise: Promise<unknown>, response: ServerResponse, log: Logger): void {
  answeredPromise.catch((error: unknown) => {
    const cause = error instanceof Error ? error.message : 'unknown';
    log({
      level: 'error',
      event: 'answer_failed',
      message: 'An answer could not be sent to a client.',
      cause,
    });
    response.destroy();
  });
}
