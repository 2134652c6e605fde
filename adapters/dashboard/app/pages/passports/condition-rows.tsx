import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { LinesField, SelectField, TextField } from '../../parts/field.tsx';
import {
  type ConditionTexts,
  conditionTexts,
  LIST_TESTS,
  lineOf,
  NEW_CONDITION,
  type TypedTest,
} from '../../text/condition-lines.ts';

const MOST = 16;

const TESTS: readonly (readonly [TypedTest, string])[] = [
  ['in', 'is one of'],
  ['not_in', 'is none of'],
  ['email_in', 'is an e-mail address of'],
  ['url_under', 'is a URL at or below'],
  ['path_under', 'is a path at or below'],
  ['prefix', 'begins with'],
  ['suffix', 'ends with'],
  ['range', 'is a number from … to …'],
  ['max_items', 'has at most … elements'],
  ['only', 'has no other members than'],
  ['present', 'is there and not empty'],
  ['absent', 'is not there'],
];

type ErrorAt = (path: string) => string | undefined;

/** Renders one row per condition. `value` has one condition in JSON per line. */
export function ConditionRows(props: {
  value: string;
  onValue: (value: string) => void;
  errorAt: ErrorAt;
}): JSX.Element {
  const { value, onValue, errorAt } = props;
  const lines = value === '' ? [] : value.split('\n');
  const change = (place: number, ...next: readonly string[]): void =>
    onValue([...lines.slice(0, place), ...next, ...lines.slice(place + 1)].join('\n'));
  const hasRowError = lines.some((_, place) => errorAt(`/conditions/${place}`) !== undefined);
  const error = hasRowError ? undefined : errorAt('/conditions');
  return (
    <fieldset class="stack group">
      <legend>Conditions</legend>
      <p class="hint">Each condition limits one value of the intent. An intent must meet all of them.</p>
      {lines.map((line, place) => (
        <ConditionRow
          key={place}
          line={line}
          place={place}
          onLine={(next) => change(place, next)}
          onRemove={() => change(place)}
          errorAt={errorAt}
        />
      ))}
      {error !== undefined && <p class="error">{error}</p>}
      {lines.length < MOST && (
        <div class="actions">
          <button type="button" class="button" onClick={() => onValue([...lines, NEW_CONDITION].join('\n'))}>
            Add a condition
          </button>
        </div>
      )}
    </fieldset>
  );
}

function ConditionRow(props: {
  line: string;
  place: number;
  onLine: (line: string) => void;
  onRemove: () => void;
  errorAt: ErrorAt;
}): JSX.Element {
  const { line, place, onLine, onRemove, errorAt } = props;
  const [typed, setTyped] = useState<ConditionTexts>();
  // What is being typed has more than its line, such as an empty last entry.
  const texts = typed !== undefined && lineOf(typed) === line ? typed : conditionTexts(line);
  const path = `/conditions/${place}`;
  return (
    <fieldset class="stack group">
      <legend>Condition {place + 1}</legend>
      {texts === undefined ? (
        <TextField label="Condition as JSON" mono value={line} onValue={onLine} error={errorAt(path)} />
      ) : (
        <RowFields
          {...{ texts, path, errorAt }}
          onTexts={(next) => {
            setTyped(next);
            onLine(lineOf(next));
          }}
        />
      )}
      <div class="actions">
        <button type="button" class="button" onClick={onRemove}>
          Remove condition {place + 1}
        </button>
      </div>
    </fieldset>
  );
}

interface RowProps {
  readonly texts: ConditionTexts;
  readonly path: string;
  readonly onTexts: (texts: ConditionTexts) => void;
  readonly errorAt: ErrorAt;
}

function RowFields({ texts, path, onTexts, errorAt }: RowProps): JSX.Element {
  const bind = (name: keyof ConditionTexts, field: string = name) => ({
    value: texts[name],
    onValue: (value: string) => onTexts({ ...texts, [name]: value }),
    error: errorAt(`${path}/${field}`),
  });
  return (
    <>
      <div class="fields">
        <TextField
          label="Value at"
          hint="A JSON Pointer into the parameters, such as /to or /items/*/url."
          placeholder="/to"
          {...bind('at')}
        />
        <SelectField
          label="Test"
          options={TESTS}
          {...bind('test')}
          onValue={(test) =>
            onTexts({ ...texts, ...emptied(texts.test, test as TypedTest), test: test as TypedTest })
          }
          error={errorOfRow(texts.test, path, errorAt)}
        />
      </div>
      <TestFields {...{ texts, path, onTexts, errorAt }} />
      <div class="fields">
        <TextField
          label="For the actions"
          optional
          hint="With commas: email.send, orders.*. Empty: every action."
          {...bind('actions')}
        />
        <SelectField
          label="Without the value"
          options={[
            ['', 'deny'],
            ['true', 'pass'],
          ]}
          {...bind('optional')}
        />
      </div>
    </>
  );
}

function TestFields({ texts, path, onTexts, errorAt }: RowProps): JSX.Element | null {
  const { test, value, most } = texts;
  const set = (name: 'value' | 'most') => (text: string) => onTexts({ ...texts, [name]: text });
  if (test === 'present' || test === 'absent') return null;
  if (test === 'range')
    return (
      <div class="fields">
        <TextField
          label="From"
          inputMode="decimal"
          {...{ value, onValue: set('value'), error: errorAt(`${path}/min`) }}
        />
        <TextField
          label="To"
          inputMode="decimal"
          {...{ value: most, onValue: set('most'), error: errorAt(`${path}/max`) }}
        />
      </div>
    );
  const bound = { value, onValue: set('value'), error: errorAt(`${path}/${test}`) };
  if (test === 'max_items') return <TextField label="Elements" inputMode="numeric" {...bound} />;
  return <LinesField label="Entries" hint={HINTS[test] ?? 'One per line.'} rows={2} {...bound} />;
}

const HINTS: Partial<Record<TypedTest, string>> = {
  in: 'One per line: a text, a number, true or false. In quotes, "12" is a text.',
  email_in: 'One per line: ann@example.com, or @example.com for every address of the domain.',
  url_under: 'One per line: https://api.example.com/v1, or https://*.example.com for sub-domains.',
  path_under: 'One per line: /srv/app, docs, / for any absolute path, or . for any relative path.',
};

function emptied(before: TypedTest, after: TypedTest): Partial<ConditionTexts> {
  const isList = (test: TypedTest): boolean => LIST_TESTS.some((one) => one === test);
  return isList(before) && isList(after) ? {} : { value: '', most: '' };
}

function errorOfRow(test: TypedTest, path: string, errorAt: ErrorAt): string | undefined {
  const tests = test === 'range' ? ['min', 'max'] : [test];
  const fields = [
    'at',
    'actions',
    'optional',
    ...tests.filter((name) => name !== 'present' && name !== 'absent'),
  ];
  return fields.some((field) => errorAt(`${path}/${field}`) !== undefined) ? undefined : errorAt(path);
}
