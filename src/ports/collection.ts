/** Declares a collection of records. Every storage creates its tables, indexes and purges from the declaration. */

import type { RecordBase } from './stored.ts';

/** The type of the values of a field, without `null`. */
export type PlainKind = 'text' | 'integer' | 'boolean' | 'json';

/** The kind of a field. `text`: always has a value. `text|null`: may be `null`. `text?`: may be absent. */
export type FieldKind = PlainKind | `${PlainKind}|null` | `${PlainKind}?`;

/** The kind that has exactly the values of a TypeScript type. */
export type PlainKindOf<Value> = [Value] extends [string]
  ? 'text'
  : [Value] extends [number]
    ? 'integer'
    : [Value] extends [boolean]
      ? 'boolean'
      : 'json';

/** The kind of one field of a record. */
export type KindOf<Kept, Field extends keyof Kept> =
  Record<never, never> extends Pick<Kept, Field>
    ? `${PlainKindOf<Exclude<Kept[Field], undefined>>}?`
    : null extends Kept[Field]
      ? `${PlainKindOf<Exclude<Kept[Field], null>>}|null`
      : PlainKindOf<Kept[Field]>;

/** The kind of each field of a record. The compiler requires all fields. */
export type FieldsOf<Kept> = { readonly [Field in keyof Kept]-?: KindOf<Kept, Field> };

/** A collection of records. */
export interface Collection<Kept extends RecordBase> {
  /** The kind of each field, without the fields that all records have. */
  readonly fields: FieldsOf<Omit<Kept, keyof RecordBase>>;
  /**
   * The sets of indexed fields. Records are listed by such a set, newest first. The empty set lists all records. With
   * an index, the cost of a page depends only on the matching records. A list by other fields is correct, but may take
   * longer.
   */
  readonly lists: readonly (readonly (keyof Kept & string)[])[];
  /** The fields by which due records can be filtered, one field at a time. Absent for records without `due_at`. */
  readonly due?: readonly (keyof Kept & string)[];
  /** The fields by which records can be listed in the order of `expires_at`. Absent if there is no such list. */
  readonly expired?: readonly (keyof Kept & string)[];
  /** `true`: a record is removed after its `expires_at`. */
  readonly expires?: true;
  /** `true`: nodes cache the records, so a storage notifies the nodes of each change. */
  readonly isCached?: true;
  /**
   * `true`: a record of this collection shows its reader that a write was acknowledged. A storage that waits for
   * replicas therefore returns the record only if enough replicas have it.
   */
  readonly isConfirmed?: true;
  /**
   * The fields that contain the account and the agent. An erasure removes the records by these fields. Absent if the
   * erasure has its own code for the records. `account` needs a list by that field.
   */
  readonly owner?: { readonly account: keyof Kept & string; readonly agent?: keyof Kept & string };
  /**
   * The versions of the database schema that added the parts of the collection. The name of a part is `id`, a
   * field, or an index by its name in `indexesOf`.
   *
   * - `id`: the version that added the collection. Absent: the first version.
   * - Another part: the version that added this part. Absent: the version that added the collection.
   */
  readonly since?: { readonly [Part in (keyof Kept & string) | `by_${string}`]?: number };
  /** Only carries the type of the records. It is never set. */
  readonly types?: Kept;
}

/** A collection with any records, for use by an adapter. */
export interface AnyCollection {
  readonly fields: Readonly<Record<string, FieldKind>>;
  readonly lists: readonly (readonly string[])[];
  readonly due?: readonly string[];
  readonly expired?: readonly string[];
  readonly expires?: true;
  readonly isCached?: true;
  readonly isConfirmed?: true;
  readonly owner?: { readonly account: string; readonly agent?: string };
  readonly since?: Readonly<Record<string, number | undefined>>;
}

/** The kinds of the fields that all records have. */
export const BASE_FIELDS: FieldsOf<RecordBase> = {
  id: 'text',
  account_id: 'text',
  version: 'integer',
  created_at: 'text',
};
