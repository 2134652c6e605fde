/** The grammar of a session: 1 to 128 printable ASCII characters without a space. */

export const MAX_SESSION_LENGTH = 128;

export const SESSION_PATTERN = '^[\\u0021-\\u007e]*$';

const SESSION = new RegExp(SESSION_PATTERN);

export function isSession(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && value.length <= MAX_SESSION_LENGTH && SESSION.test(value)
  );
}
