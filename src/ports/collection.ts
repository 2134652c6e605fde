/** The declaration of a collection of records, from which every storage derives its tables, indexes and purges. */

import type { RecordBase } from './stored.ts';

/** The type of the values of a field, without `null`. */
export type PlainKind = 'text' | 'integer' | 'boolean' | 'json';

/** The kind of a field: it always has a value, may be `null` (`text|null`), or may be absent (`text?`). */
export type FieldKind = PlainKind | `${PlainKind}|null` | `${PlainKind}?`;

/** The kind that can hold exactly the values of a type. */
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

/** The kind of each field of a record. The compiler demands all of them. */
export type FieldsOf<Kept> = { readonly [Field in keyof Kept]-?: KindOf<Kept, Field> };

/** A collection of records. */
export interface Collection<Kept extends RecordBase> {
  /** The kind of each field, without the fields of every record. */
  readonly fields: FieldsOf<Omit<Kept, keyof RecordBase>>;
  /**
   * The sets of fields with an index, by which records are listed, newest first; the empty one lists all records. The
   * cost of a page by one of them depends on its own records only. A list by other fields is correct, but may take
   * longer.
   */
  readonly lists: readonly (readonly (keyof Kept & string)[])[];
  /** The fields by which due records are filtered, one at a time. Absent for records without `due_at`. */
  readonly due?: readonly (keyof Kept & string)[];
  /** The fields by which records are listed in the order of `expires_at`; absent if they are not. */
  readonly expired?: readonly (keyof Kept & string)[];
  /** `true`: a record is removed after its `expires_at`. */
  readonly expires?: true;
  /** `true`: nodes keep its records in memory, so a storage notifies them of each change. */
  readonly isCached?: true;
  /**
   * `true`: a record says that a write was acknowledged. A storage that waits for replicas returns it only if enough
   * of them have it.
   */
  readonly isConfirmed?: true;
  /**
   * The fields that name the account and the agent, by which an erasure removes the records; absent if it has its own
   * code for them. `account` needs a list by that field.
   */
  readonly owner?: { readonly account: keyof Kept & string; readonly agent?: keyof Kept & string };
  /**
   * The version of the schema that added a field, or an index by its name in `indexesOf`; absent: the version of the
   * collection. `id` is the version that added the collection; absent: the first one.
   */
  readonly since?: { readonly [Part in (keyof Kept & string) | `by_${string}`]?: number };
  /** Carries the type of the records. It is never set. */
  readonly types?: Kept;
}

/** A collection, as an adapter sees it. */
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

/** The kinds of the fields of every record. */
export const BASE_FIELDS: FieldsOf<RecordBase> = {
  id: 'text',
  account_id: 'text',
  version: 'integer',
  created_at: 'text',
};
