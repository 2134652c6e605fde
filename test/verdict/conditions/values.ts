/** For each test: entries of a passport, values that pass, and values that are near. */
import type { Condition } from './reference.ts';
import { boundaries } from './values/decimals.ts';
import { mail } from './values/mail.ts';
import { path } from './values/paths.ts';
import { absent, items, onlyNames, present } from './values/shapes.ts';
import type { Subject } from './values/subject.ts';
import { ENDS, edges, inList, notInList, STARTS } from './values/texts.ts';
import { url } from './values/urls.ts';

export { LEFT_OUT } from './values/shapes.ts';

export const SUBJECTS: readonly Subject[] = [
  ...[inList, notInList, edges('prefix', STARTS), edges('suffix', ENDS), boundaries, mail, url, path],
  ...[items, onlyNames, present, absent],
];

/** The generators of this condition's test. */
export function subjectOf(condition: Condition): Subject {
  const names = [
    'in',
    'not_in',
    'prefix',
    'suffix',
    'min',
    'email_in',
    'url_under',
    'path_under',
    'max_items',
    'only',
    'present',
    'absent',
  ];
  const index = names.findIndex((name) => Object.hasOwn(condition, name));
  return SUBJECTS[index === -1 ? 4 : index] ?? absent;
}
