import { base } from './base.mjs';
import { compare } from './compare.mjs';
import { compareFurther } from './compare-further.mjs';
import { credential } from './credential.mjs';
import { http } from './http.mjs';
import { storage } from './storage.mjs';
import { verdict } from './verdict.mjs';
import { verdictFurther } from './verdict-further.mjs';

/**
 * The mutants that no test can kill, and why: each does the same as the code. `line` is the line as it stands, `mutated`
 * what the mutants make of it. `npm run test:mutation` fails for a survivor that is missing here, and for an entry that
 * does not survive.
 */
export const survivors = [
  ...[...base, ...verdict, ...verdictFurther, ...compare, ...compareFurther],
  ...[...credential, ...http, ...storage],
];
