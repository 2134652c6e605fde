import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text that is put before another in a file of a copy of the project; before `''`: the file is new. */
export interface Edit {
  readonly file: string;
  readonly before: string;
  readonly put: string;
}

/** An optional field of a passport as its author begins: the record, its schema, a migration. */
export const BEGUN: readonly Edit[] = [
  {
    file: 'src/records.ts',
    before: '  /** For the account: at most 20 text values',
    put: '  /** What it is for. */\n  readonly purpose?: string;\n',
  },
  {
    file: 'src/schema/passport.ts',
    before: "  description: { type: 'string', maxLength: MAX_TEXT },\n",
    put: "  purpose: { type: 'string', maxLength: MAX_TEXT },\n",
  },
  {
    file: 'adapters/storage/sql/migrations/purpose.ts',
    before: '',
    put: `import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';
export async function purposeColumn(kysely: Kysely<SqlTables>, { text }: SqlDialect): Promise<void> {
  await sql.raw(\`alter table ais_passports add column purpose \${text}\`).execute(kysely);
}
`,
  },
  {
    file: 'adapters/storage/sql/migrations.ts',
    before: "import type { SqlTables } from './rows.ts';\n",
    put: "import { purposeColumn } from './migrations/purpose.ts';\n",
  },
  {
    file: 'adapters/storage/sql/migrations.ts',
    before: '];\n\n/** The migrations, and the listener for the progress of long ones. */',
    put: '  { additive: true, run: purposeColumn },\n',
  },
];

/** What the compiler then asks for: one place in each of these files. */
export const ASKED: readonly Edit[] = [
  {
    file: 'src/base/expected.ts',
    before: '  metadata: `an object of at most ',
    put: "  purpose: 'text of at most 500 characters',\n",
  },
  {
    file: 'adapters/storage/sql/tables.ts',
    before: "      metadata: 'json?',\n",
    put: "      purpose: 'text?',\n",
  },
  {
    file: 'adapters/cli/commands/passport-fields.ts',
    before: '  metadata: undefined,\n',
    put: "  purpose: { value: '<text>', help: 'what it is for' },\n",
  },
  {
    file: 'src/base/signed-passport.ts',
    before: "  | 'metadata';\n",
    put: "  | 'purpose'\n",
  },
  {
    file: 'src/testing/storage-contract/round-trips.ts',
    before: '        metadata: {},\n',
    put: "        purpose: '',\n",
  },
  {
    file: 'test/storage/every-field.test.ts',
    before: "  metadata: { team: 'purchasing' },\n",
    put: "  purpose: 'paper for the office',\n",
  },
];

/** Makes the edits in a folder. Throws where a text is not there exactly once. */
export function apply(folder: string, edits: readonly Edit[]): void {
  for (const { file, before, put } of edits) {
    const path = join(folder, file);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const [head, tail, ...more] = before === '' && text === '' ? ['', ''] : text.split(before);
    if (head === undefined || tail === undefined || more.length > 0) {
      throw new Error(`${file} does not hold ${JSON.stringify(before)} exactly once.`);
    }
    writeFileSync(path, head + put + before + tail);
  }
}
