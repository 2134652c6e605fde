/** The grammar of a session: 1 to 128 printable ASCII characters without a space. */

export const MAX_SESSION_LENGTH = 128;

export const SESSION_PATTERN = '^[\\u0021-\\u007e]*$';

const SESSION = new RegExp(SESSION_PATTERN);

export function isSession(value: unknown): value is string {
  return (
    typeof value === 'string' && value !== '' && value.length <= MAX_SESSION_LENGTH && SESSION.test(value)
  );
}

// The grammar of a subject: 1 to 256 characters, without control characters and unpaired surrogates.

/** The maximum number of characters of a subject, in UTF-16 units. */
export const MAX_SUBJECT_LENGTH = 256;

export const SUBJECT_PATTERN =
  '^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$';

const SUBJECT = new RegExp(SUBJECT_PATTERN);

export function isSubject(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_SUBJECT_LENGTH && SUBJECT.test(value);
}
