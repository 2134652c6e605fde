/** Decides which YAML texts need quotation marks, because other YAML readers would take them for another value. */
import { readJson } from '../../../src/http/binding.ts';
import { IdentityError } from '../../../src/index.ts';

export type PlainScalar = { readonly value: unknown } | { readonly fault: string };

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Matches texts that a reader of YAML 1.1 or 1.2 takes for another value. */
const READ_DIFFERENTLY: readonly RegExp[] = [
  /^(?:y|yes|n|no|true|false|on|off|null|~|=|<<)$/i,
  // Numbers with other signs, zeros, marks and bases.
  /^[-+]?(?:[0-9][0-9_]*|0b[01_]+|0o[0-7_]+|0x[0-9a-f_]+)$/i,
  /^[-+]?[0-9_]*\.[0-9_.]*(?:e[-+]?[0-9]+)?$/i,
  /^[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?e[-+]?[0-9]+$/i,
  /^[-+]?\.(?:inf|nan)$/i,
  // A time of day is a number to the base of 60; a day is an instant.
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt \t])/,
];

export function readPlainScalar(text: string): PlainScalar {
  if (text === '') return { fault: 'A value is missing.' };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  if (text === 'null') return { value: null };
  if (NUMBER.test(text)) return numberIn(text);
  if (isReadDifferently(text)) return { fault: 'Quote this text: YAML 1.1 reads it differently.' };
  return { value: text };
}

export function isPlainText(text: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(text) && !isReadDifferently(text);
}

function isReadDifferently(text: string): boolean {
  return READ_DIFFERENTLY.some((form) => form.test(text));
}

function numberIn(text: string): PlainScalar {
  try {
    return { value: readJson(new TextEncoder().encode(text)) };
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return { fault: 'Quote this number: a double does not hold it exactly.' };
  }
}
