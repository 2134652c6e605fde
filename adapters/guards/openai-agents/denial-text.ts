import { IdentityError } from '../../../src/guard/index.ts';

/**
 * The text for the model where a guard has stopped the call. The SDK does not show it an error that is thrown, but asks
 * it to try again.
 */
export function denialText(error: unknown): string | undefined {
  return error instanceof IdentityError && error.code === 'tool_denied' ? error.message : undefined;
}
