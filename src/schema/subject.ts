import { MAX_SUBJECT_LENGTH, SUBJECT_PATTERN } from '../base/values/subject.ts';
import type { JsonSchema } from './json-schema.ts';

/** The schema of a subject: no control characters, and no incomplete surrogate pair. */
export const subject: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_SUBJECT_LENGTH,
  pattern: SUBJECT_PATTERN,
  description: 'The user an agent acts for: your opaque id, not an address. No rule evaluates it.',
  examples: ['user-4711'],
};
