import { fieldList } from './table.ts';
import { print, printJson } from './terminal.ts';

/** Prints a record: its fields, one per line, or with `json` as JSON. */
export function outputRecord(record: object, { json = false }: { readonly json?: boolean }): void {
  if (json) printJson(record);
  else print(fieldList(record));
}
