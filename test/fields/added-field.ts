import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text that is put before another in a file of a copy of the project; before `''`: the file is new. */
export interface Edit {
  readonly file: string;
  readonly before: string;
  readonly put: string;
  /** Where the compiler asks for it; default: there. */
  readonly askedAt?: string;
}

/** An optional field of a passport. */
interface Field {
  readonly name: string;
  /** What the compiler asks for where it depends on what the field means. */
  readonly asked: readonly Edit[];
}

/** One for people, which no rule reads, and one that narrows what the agent may do, which `policyOf` has to read. */
const FIELDS: readonly Field[] = [
  {
    name: 'purpose',
    asked: [
      { file: 'src/verdict/compare/fields.ts', before: '  metadata: unread,\n', put: '  purpose: unread,\n' },
      { file: 'src/schema/passport-fields.ts', before: "  'managed_by',\n] as const", put: "  'purpose',\n" },
      {
        file: 'src/records/effective.ts',
        before: "  | 'metadata'\n",
        put: "  | 'purpose'\n",
        askedAt: 'src/verdict/policy.ts',
      },
    ],
  },
  {
    name: 'hours',
    asked: [
      {
        file: 'src/verdict/policy.ts',
        before: '    ...otherFields\n  } = ownFields;\n',
        put: '    hours,\n',
      },
      { file: 'src/verdict/compare/fields.ts', before: '  metadata: unread,\n', put: '  hours: unread,\n' },
      {
        file: 'src/schema/passport-fields.ts',
        before: '  proof: (value) => PROOF_REQUIREMENTS',
        put: "  hours: (value) => typeof value === 'string',\n",
      },
      {
        file: 'src/schema/passport-fields.ts',
        before: "  not_before: 'latest',\n",
        put: "  hours: 'earliest',\n",
      },
      {
        file: 'src/verdict/compare/fields.ts',
        before: '  conditions: leftOut,\n',
        put: '  hours: leftOut,\n',
      },
    ],
  },
];

/** The fields as their author begins: the record, its schema, the version that adds it. */
export const BEGUN: readonly Edit[] = [
  {
    file: 'src/schema/passport-fields.ts',
    before: '};\n\n/**\n * The ways in which',
    put: FIELDS.map(({ name }) => `${name}: 2, `).join(''),
  },
  ...FIELDS.flatMap(({ name }) => [
    {
      file: 'src/records.ts',
      before: '  /** Data that the account chooses: at most 20 text values',
      put: `  /** The text of ${name}. */\n  readonly ${name}?: string;\n`,
    },
    {
      file: 'src/schema/passport.ts',
      before: "  description: { type: 'string', maxLength: MAX_TEXT },\n",
      put: `  ${name}: { type: 'string', maxLength: MAX_TEXT },\n`,
    },
  ]),
];

/** What the compiler then asks for: in each of these files, for each field. */
export const ASKED: readonly Edit[] = FIELDS.flatMap(({ name, asked }) => [
  ...asked,
  {
    file: 'src/schema/passport-words.ts',
    before: '  metadata: `an object of at most ',
    put: `  ${name}: 'text of at most 500 characters',\n`,
  },
  {
    file: 'src/schema/passport-fields.ts',
    before: "  metadata: 'json?',\n",
    put: `  ${name}: 'text?',\n`,
  },
  {
    file: 'src/schema/passport-words.ts',
    before: '  metadata: undefined,\n',
    put: `  ${name}: { value: '<text>', help: 'the text of ${name}' },\n`,
  },
  {
    file: 'src/schema/passport-words.ts',
    before: "  metadata: 'pairs',\n",
    put: `  ${name}: 'prose',\n`,
  },
  {
    file: 'src/schema/passport-words.ts',
    before: '  denied_actions: { label: ',
    put: `  ${name}: { label: '${name}', hint: 'The text of ${name}.' },\n`,
  },
  {
    file: 'test/storage/every-field.test.ts',
    before: "  metadata: { team: 'purchasing' },\n",
    put: `  ${name}: 'paper for the office',\n`,
  },
]);

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
