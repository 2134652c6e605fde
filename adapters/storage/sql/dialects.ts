import type { SqlDialect, SqlDialectName } from './dialect.ts';
import { postgres } from './postgres/dialect.ts';
import { sqlite } from './sqlite/dialect.ts';

/** The databases that this adapter speaks. */
export const dialects: Readonly<Record<SqlDialectName, SqlDialect>> = { sqlite, postgres };
