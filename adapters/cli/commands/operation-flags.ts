/** The flags of an operation, from the schema of its body or from the parameters of its query. */
import { Option } from 'commander';
import type { JsonSchema, Operation } from '../../../src/http/index.ts';
import { parametersIn } from '../../../src/operations/operation.ts';
import { describedRequests } from '../../../src/schema/described-requests.ts';
import { limitOption } from '../backend/pages.ts';
import { numberOf } from '../input/whole-number.ts';

/**
 * The flag of a field: its value and its help, such as `<instant> list only changes before this instant`. A name before
 * the value replaces the name of the field, such as `--agent <agent_id> list only …`. An option replaces the whole flag.
 * `false`: the command has no such flag.
 */
export type Flag = string | Option | false;

/** Creates the flags of an operation: first the fields that `flags` names, in their order, then the other fields. */
export function flagsOf(
  operation: Operation,
  flags: Readonly<Record<string, Flag | undefined>>,
): Readonly<Record<string, Option>> {
  const fields = fieldsOf(operation);
  const options: Record<string, Option> = {};
  for (const name of Object.keys({ ...flags, ...fields })) {
    const schema = fields[name] ?? {};
    const flag = flags[name] ?? (name === 'limit' ? limitOption() : defaultFlag(schema));
    if (flag !== false) options[name] = typeof flag === 'string' ? optionOf(name, flag, schema) : flag;
  }
  return options;
}

/** Returns the name with dashes, as in a command or a flag: `unused-days` for `unused_days`, `end-sessions`. */
export function dashed(name: string): string {
  return name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns a sentence as help: in lower case, without its full stop. */
export function helpOf(sentence: string): string {
  return sentence.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, '');
}

function fieldsOf(operation: Operation): Readonly<Record<string, JsonSchema>> {
  const { body } = operation;
  if (body !== undefined) return Object(describedRequests[body]['properties']);
  // A cursor would be invalid after the process ends.
  const parameters = parametersIn(operation).filter(({ name, isOfHttp }) => !isOfHttp && name !== 'cursor');
  return Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
  );
}

function optionOf(field: string, flag: string, schema: JsonSchema): Option {
  const [, name = `--${dashed(field)}`, value, help] = /^(--\S+)? ?(<[^>]+>)? ?(.*)$/s.exec(flag) ?? [];
  const option = new Option(value === undefined ? name : `${name} ${value}`, help);
  const choices = choicesOf(schema);
  if (choices !== undefined) option.choices(choices);
  return schema['type'] === 'integer' ? option.argParser(numberOf) : option;
}

function choicesOf({ enum: values, items }: JsonSchema): readonly string[] | undefined {
  if (Array.isArray(values)) return values.filter((value) => typeof value === 'string');
  return items === undefined ? undefined : choicesOf(items as JsonSchema);
}

/** Returns the flag without words for people. An object has none, because its fields have no place in a flag. */
function defaultFlag({ type, description, $ref: reference }: JsonSchema): Flag {
  const types = [type].flat();
  if (types.includes('object') || reference !== undefined) return false;
  const help = helpOf(`${description ?? ''}`);
  if (types.includes('boolean')) return help;
  return `${types.includes('array') ? '<value...>' : '<value>'} ${help}`;
}
