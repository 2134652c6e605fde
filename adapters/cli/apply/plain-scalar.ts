/** YAML without quotation marks: which texts it may have, and which texts other readers take for another value. */
import { readJson } from '../../../src/http/binding.ts';
import { IdentityError } from '../../../src/index.ts';

/** A plain scalar: its value, or the reason why it needs quotation marks. */
export type PlainScalar = { readonly value: unknown } | { readonly fault: string };

/** A number of JSON. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Texts that a reader of YAML 1.1 or 1.2 takes for something else. */
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

/** Reads a scalar that has no quotation marks. */
export function readPlainScalar(text: string): PlainScalar {
  if (text === '') return { fault: 'A value is missing.' };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  if (text === 'null') return { value: null };
  if (NUMBER.test(text)) return numberIn(text);
  if (isReadDifferently(text)) return { fault: 'Quote this text: YAML 1.1 reads it differently.' };
  return { value: text };
}

/** Says whether every reader takes the text for the same text without quotation marks. */
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
