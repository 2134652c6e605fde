import { sql } from 'kysely';
import { allMigrations, type Migration } from '../../adapters/storage/sql/migrations.ts';

/** A step of a later release that those before it can live with: a column that may be left out, and a table. */
const additive: Migration = {
  additive: true,
  run: async (kysely) => {
    await sql`alter table ais_domains add column note text`.execute(kysely);
    await sql`create table ais_future (id text)`.execute(kysely);
  },
};

/** A step of a later release that none before it can live with. */
const breaking: Migration = {
  additive: false,
  run: async (kysely) => {
    await sql`create table ais_break (id text)`.execute(kysely);
  },
};

/** A step that does something and then fails. */
export const failing: Migration = {
  additive: true,
  run: async (kysely) => {
    await sql`create table ais_half (id text)`.execute(kysely);
    throw new Error('the disk is full');
  },
};

/** The steps of releases to come. */
export const nextRelease: readonly Migration[] = [...allMigrations, additive];
export const breakingRelease: readonly Migration[] = [...allMigrations, breaking];
export const failingRelease: readonly Migration[] = [...allMigrations, failing];
