import type { SqlDialect, SqlDialectName } from './dialect.ts';
import { postgres } from './postgres/dialect.ts';
import { sqlite } from './sqlite/dialect.ts';

export const dialects: Readonly<Record<SqlDialectName, SqlDialect>> = { sqlite, postgres };
