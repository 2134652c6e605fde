import { type FieldError, invalidRequest, pointer } from '../errors.ts';
import type { QueryParameter } from './endpoint.ts';

/** The query by name. A parameter that is unknown, doubled or cannot be decoded is `invalid_request`. */
export function readQuery(
  text: string,
  parameters: readonly QueryParameter[] = [],
): Readonly<Record<string, string>> {
  if (text === '' || parameters.length === 0) return {};
  const query: Record<string, string> = {};
  const errors: FieldError[] = [];
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pointer(name);
    const parameter = parameters.find((known) => known.name === name);
    const choices = parameter?.schema['enum'];
    if (parameter === undefined) {
      errors.push({ path, code: 'unknown_field', message: 'There is no such parameter.' });
    } else if (Object.hasOwn(query, name)) {
      errors.push({ path, code: 'duplicate', message: 'This parameter came twice.' });
    } else if (value === '') {
      errors.push({ path, code: 'too_short', message: 'This must not be empty: leave it out instead.' });
    } else if (value.includes('\uFFFD') || value.includes('\0')) {
      errors.push({ path, code: 'malformed', message: 'This is not well-formed text.' });
    } else if (Array.isArray(choices) && !choices.includes(value)) {
      errors.push({ path, code: 'not_allowed', message: `This must be one of ${choices.join(', ')}.` });
    } else {
      query[name] = value;
    }
  }
  if (errors.length > 0) throw invalidRequest(errors);
  return query;
}
