import type { SqlDialect, SqlDialectName } from './dialect.ts';
import { postgres } from './postgres/dialect.ts';
import { sqlite } from './sqlite/dialect.ts';

/** The dialect of each supported database. */
export const dialects: Readonly<Record<SqlDialectName, SqlDialect>> = { sqlite, postgres };
