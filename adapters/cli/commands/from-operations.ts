/**
 * Creates commands from a table of operations. The arguments, the flags and the summary of a command come from its row.
 * An override gives the words and the output that the row does not have.
 */
import type { OperationTable, TableOf } from '../../../src/http/index.ts';
import { isPaged, OPTION_OF, type Operation } from '../../../src/operations/operation.ts';
import type { Backend, WebhookBackend } from '../backend/methods.ts';
import { firstRecords } from '../backend/pages.ts';
import { type Columns, recordTable } from '../output/table.ts';
import { type Asking, accountCommand, bothWays } from './answering.ts';
import type { Arguments, CliCommand } from './command.ts';
import { dashed, type Flag, flagsOf, helpOf } from './operation-flags.ts';

/** A parameter of the path, which is an argument of the command. */
interface Parameter {
  /** The name of the argument; default: the name of the parameter. */
  readonly name?: string;
  readonly help: string;
  readonly example: string;
  /** Returns the value of the parameter for the text of the argument; default: the text. */
  find?(backend: Backend, text: string): Promise<string>;
}

type Spec = Asking<WebhookBackend, Arguments, object, object>;

/** The properties that the commands of a table share. */
export interface Family {
  /** The words before the name of each command, such as `webhook`; default: none. */
  readonly group?: string;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** `true`: each example has a second line, with `--url`. */
  readonly isBothWays?: boolean;
  /** Creates the command; default: `accountCommand`. */
  create?(spec: Spec): CliCommand;
}

/** The answer of an operation; the parameters of the path for an operation without an answer. */
type AnswerOf<Method> = Method extends (...input: never[]) => PromiseLike<infer Answer>
  ? Answer extends object
    ? Answer
    : { readonly id: string }
  : never;
type ItemOf<Answer> = Answer extends { readonly data: readonly (infer Item)[] } ? Item : never;
type FieldOf<Input> = Input extends object ? keyof Input : never;
type InputOf<Method> = Method extends (...input: infer Input) => unknown ? Input[number] : never;

type Words<Answer> = Omit<
  Asking<WebhookBackend, Arguments, Readonly<Record<string, unknown>>, Answer>,
  'fields' | 'examples' | 'call'
>;

/** The parts of a command that its row does not have. An argument that is not in the path is a field of the input. */
export interface Override<Method> extends Partial<Words<AnswerOf<Method>>> {
  readonly flags?: { readonly [Field in FieldOf<InputOf<Method>>]?: Flag };
  /** The columns of a list. */
  readonly columns?: Columns<ItemOf<AnswerOf<Method>>>;
  /** The rest of the example, after the name of the command and its ids; a list has several examples. */
  readonly example?: string | readonly string[];
}

type Overrides<Room> = { readonly [Name in keyof Room & string]?: Override<Room[Name]> | CliCommand | false };

/**
 * Creates a command for each operation of a table: first those that `overrides` names, in their order. A command replaces
 * the command of its row. With `false`, there is none.
 */
export function commandsOf<Room>(
  table: TableOf<Room>,
  family: Family,
  overrides: Overrides<Room>,
): readonly CliCommand[] {
  const byName = overrides as Readonly<Record<string, Override<never> | CliCommand | false | undefined>>;
  return Object.keys({ ...overrides, ...table.operations }).flatMap((name) => {
    const override = byName[name] ?? {};
    if (override === false) return [];
    return [
      'run' in override
        ? override
        : commandOf(table as TableOf<Record<string, never>>, name, override, family),
    ];
  });
}

/** Creates the command of one operation. */
export function commandOf<Room, Name extends keyof Room & string>(
  table: TableOf<Room>,
  method: Name,
  { flags, columns, example = '', ...words }: Override<Room[Name]>,
  family: Family = {},
): CliCommand {
  const operation = table.operations[method];
  const parameters = parametersOf(operation, family);
  const { name = method === 'get' ? 'show' : dashed(method), arguments: inputs = {} } = words;
  const line = ['agent-identity', family.group, name, ...parameters.map(({ example }) => example)];
  const withoutFlag = Object.fromEntries(Object.keys(inputs).map((field) => [field, false]));
  const command = (family.create ?? accountCommand)({
    summary: helpOf(operation.summary),
    ...(columns && { text: (page: object) => recordTable(columns, Object(page).data) }),
    ...(words as Partial<Spec>),
    name,
    arguments: { ...Object.fromEntries(parameters.map(({ name, help }) => [name, help])), ...inputs },
    fields: flagsOf(operation, { ...withoutFlag, ...flags }),
    examples: examplesOf(line, example, family),
    call: callOf(table, method, parameters),
  });
  return { ...command, operation };
}

/** A parameter with its name in the path. */
type PathParameter = Parameter & { readonly key: string; readonly name: string };

function parametersOf({ http }: Operation, { parameters = {} }: Family): readonly PathParameter[] {
  return [...http.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => ({
    key,
    name: key,
    ...(parameters[key] ?? { help: `${key} of the operation`, example: `<${key}>` }),
  }));
}

function examplesOf(
  line: readonly (string | undefined)[],
  rest: string | readonly string[],
  { isBothWays = false }: Family,
): readonly string[] {
  const lines = [rest].flat().map((text) => [...line, text].filter(Boolean).join(' '));
  return isBothWays && typeof rest === 'string' ? lines.flatMap(bothWays) : lines;
}

function callOf(table: OperationTable, name: string, parameters: readonly PathParameter[]): Spec['call'] {
  const operation = table.operations[name] as Operation;
  const { body, query, headers = [] } = operation;
  const hasInput = body !== undefined || query !== undefined;
  const optionNames = headers.map((header) => OPTION_OF[header]);
  const argumentNames = parameters.map((parameter) => parameter.name);
  return async (backend, args, input, options) => {
    const method = Object(table.room === '' ? backend : Object(backend)[table.room])[name];
    const ids: unknown[] = [];
    for (const { name, find } of parameters)
      ids.push(find ? await find(backend, `${args[name]}`) : args[name]);
    const fields = { ...input, ...pick(args, (name) => !argumentNames.includes(name)) };
    const methodOptions = pick(options, (name) => optionNames.includes(name));
    const ask = (page: object): Promise<never> =>
      method(...ids, ...(hasInput ? [{ ...fields, ...page }] : []), methodOptions);
    if (isPaged(operation)) return firstRecords(ask, options);
    return (await ask({})) ?? Object.fromEntries(parameters.map(({ key }, index) => [key, ids[index]]));
  };
}

function pick(values: object, isPicked: (name: string) => boolean): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isPicked(name)));
}
