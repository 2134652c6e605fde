/** Commands that print the answer of a service as text, or with `--json` as JSON. */
import type { Command, Option } from 'commander';
import {
  accountOptions,
  jsonOption,
  secretFileOption,
  storageOption,
  withBackend,
  withWebhookBackend,
} from '../backend/backend.ts';
import type { Backend, WebhookBackend } from '../backend/methods.ts';
import {
  type OperatorOptions,
  type StoredService,
  type StoredServiceOptions,
  withStoredService,
} from '../backend/operator.ts';
import { fieldList } from '../output/table.ts';
import { print, printJson } from '../output/terminal.ts';
import type { Arguments, CliCommand, FieldOptions } from './command.ts';

/** A command by its parts: the input, the call, and the output of the answer. */
export interface Asking<Service, Given extends Arguments, Input, Answer> extends Omit<CliCommand, 'run'> {
  readonly arguments?: Given;
  readonly fields?: FieldOptions<NoInfer<Input>>;
  prepare?(
    input: Partial<NoInfer<Input>>,
    options: object,
    args: { readonly [Name in keyof Given]: string },
  ): NoInfer<Input> | Promise<NoInfer<Input>>;
  call(
    service: Service,
    args: { readonly [Name in keyof Given]: string },
    input: Input,
    options: object,
  ): Promise<Answer>;
  /** Prints the records in another format if the options name one. Returns `true` if it printed them. */
  print?(service: Service, input: Input, options: object): Promise<boolean>;
  /** Returns the answer as text; default: the fields of its record, one per line. */
  text?(answer: Answer, options: object): string;
  /** Returns the value that `--json` prints; default: the answer. */
  record?(answer: Answer): object;
  /** Returns the exit code for a printed answer, or throws an error to print after it; default 0. */
  exitCode?(answer: Answer, options: object): number;
}

export function answerCommand<Given extends Arguments, Input extends object, Answer extends object>(
  spec: Asking<Command, Given, Input, Answer>,
): CliCommand {
  return asking(spec, [jsonOption()], (use, _options, command) => use(command));
}

export function accountCommand<Given extends Arguments, Input extends object, Answer extends object>(
  spec: Asking<Backend, Given, Input, Answer>,
): CliCommand {
  return asking(spec, [...accountOptions(), jsonOption()], (use, _options, command) =>
    withBackend(command, use),
  );
}

export function webhookCommand<Given extends Arguments, Input extends object, Answer extends object>(
  spec: Asking<WebhookBackend, Given, Input, Answer>,
): CliCommand {
  return asking(spec, [...accountOptions(), jsonOption(), secretFileOption()], (use, _options, command) =>
    withWebhookBackend(command, use),
  );
}

export function storageCommand<Given extends Arguments, Input extends object, Answer extends object>(
  spec: Asking<StoredService, Given, Input, Answer>,
  openedOptions: StoredServiceOptions = {},
): CliCommand {
  return asking(spec, [storageOption(), jsonOption()], (use, options: OperatorOptions) =>
    withStoredService(options, use, openedOptions),
  );
}

type Open<Service> = <Result>(
  use: (service: Service) => Promise<Result>,
  options: never,
  command: Command,
) => Promise<Result>;

function asking<Service, Given extends Arguments, Input extends object, Answer extends object>(
  {
    fields,
    prepare,
    call,
    print: printRecords,
    text,
    record,
    exitCode,
    ...spec
  }: Asking<Service, Given, Input, Answer>,
  common: readonly Option[],
  open: Open<Service>,
): CliCommand {
  const givenOptions: Readonly<Record<string, Option>> = { ...fields };
  return {
    ...spec,
    options: [...Object.values(givenOptions), ...(spec.options ?? []), ...common],
    async run(
      args: { readonly [Name in keyof Given]: string },
      options: { readonly json?: boolean },
      command,
    ) {
      const read = inputOf(givenOptions, options) as Input;
      const input = (await prepare?.(read, options, args)) ?? read;
      const answer = await open(
        async (service) =>
          (await printRecords?.(service, input, options)) ? undefined : call(service, args, input, options),
        options as never,
        command,
      );
      if (answer === undefined) return;
      const value = record?.(answer) ?? answer;
      if (options.json) printJson(value);
      else print(text?.(answer, options) ?? fieldList(value));
      const code = exitCode?.(answer, options) ?? 0;
      if (code !== 0) process.exitCode = code;
    },
  };
}

export function inputOf(
  fields: Readonly<Record<string, Option>>,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries(fields).map(
    ([name, option]) => [name, options[option.attributeName()]] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

export function bothWays(line: string): readonly string[] {
  return [line, `${line} --url http://localhost:3000/api`];
}
