import { IdentityError } from '../../../src/guard/index.ts';

/**
 * What the model is told, where a guard has stopped the call. The SDK shows the model no error that is thrown: it would
 * be told to try again.
 */
export function denialText(error: unknown): string | undefined {
  return error instanceof IdentityError && error.code === 'tool_denied' ? error.message : undefined;
}
