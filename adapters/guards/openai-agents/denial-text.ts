import { IdentityError } from '../../../src/guard/index.ts';

/**
 * Returns the text for the model if a guard has stopped the call. The SDK does not show a thrown error to the model,
 * but tells it to try again.
 */
export function denialText(error: unknown): string | undefined {
  return error instanceof IdentityError && error.code === 'tool_denied' ? error.message : undefined;
}
