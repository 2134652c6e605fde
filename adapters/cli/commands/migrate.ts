import { Option } from 'commander';
import { storageOption } from '../backend/backend.ts';
import { openStorage, readStorageUrl } from '../input/storage-url.ts';
import { usageError } from '../output/error.ts';
import { print } from '../output/terminal.ts';
import type { CliCommand } from './command.ts';

interface MigrateOptions {
  readonly storage: string;
  readonly print?: boolean;
}

export const migrateCommand: CliCommand = {
  name: 'migrate',
  summary: 'create or upgrade the tables of a PostgreSQL database',
  options: [
    new Option(
      '--print',
      'print the SQL without running it, so that a role that may create tables can run it',
    ),
    storageOption(),
  ],
  notes:
    'When the service runs, its database role needs SELECT, INSERT, UPDATE and DELETE on the tables, and USAGE on their schema.',
  examples: ['agent-identity migrate --print --storage postgres://agents@db.example.com/agents > tables.sql'],
  async run(_args, { storage, print: isPrinted = false }: MigrateOptions) {
    const place = readStorageUrl(storage);
    if (place.kind !== 'postgres') {
      throw usageError('migrate is for postgres://…: every other storage is set up by its first start.');
    }
    if (isPrinted) {
      const { postgresMigrations } = await import('../../storage/sql/index.ts');
      return print(
        (await postgresMigrations({ url: place.url })) ?? '-- The database has the tables of this release.',
      );
    }
    await (await openStorage(place)).close();
    print('The database has the tables of this release.');
  },
};
