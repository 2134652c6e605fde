/** The grammar of a subject: 1 to 256 characters, without control characters and unpaired surrogates. */

/** The maximum number of characters of a subject, in UTF-16 units. */
export const MAX_SUBJECT_LENGTH = 256;

export const SUBJECT_PATTERN =
  '^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$';

const SUBJECT = new RegExp(SUBJECT_PATTERN);

export function isSubject(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_SUBJECT_LENGTH && SUBJECT.test(value);
}
