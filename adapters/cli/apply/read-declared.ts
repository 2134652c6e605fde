/** Reads the passports in files, and checks all of them before the first request. */
import { IdentityError, type Passport, type PassportInput } from '../../../src/index.ts';
import { type EvaluateOptions, issueInMemory } from '../import/evaluate-passports.ts';
import { type Descendant, parentsFirst } from '../import/parents-first.ts';
import { usageError } from '../output/error.ts';
import { type Fault, FaultyFile, faultError, placeIn, type WrittenPassport } from './document.ts';
import { type FoundFile, isYaml, readFiles } from './find-files.ts';
import { readJsonDocument } from './json-document.ts';
import { secretsInText, secretsInValue } from './secrets-in.ts';
import { loadYaml, readYamlDocuments } from './yaml-documents.ts';

export interface Declared extends Descendant {
  readonly file: string;
  /** The passport in the form in which a service would issue it. */
  readonly passport: Passport;
}

const MAX_PASSPORTS = 10_000;

const MAX_FAULTS = 20;

/** The maximum number of generations, because an agent has at most 4 ancestors. */
const MAX_GENERATIONS = 5;

const AGENT_ID = /^did:web:[^:\s]+:agents:[^:\s]+$/;

/**
 * Reads a file or a folder. Returns the passports in generations, parents first. Throws a usage error that lists every
 * error by `file:line:column`.
 */
export async function readDeclared(
  path: string,
  options: EvaluateOptions,
): Promise<readonly (readonly Declared[])[]> {
  const writtenPassports = await readWritten(path);
  if (writtenPassports.length === 0) throw usageError(`${path} has no passport in it.`);
  refuseFaults(ownFaults(writtenPassports));
  const inputs = writtenPassports.map(({ value }) => {
    const { agent_id: _, ...input } = value;
    return { input: input as unknown as PassportInput, standing: { status: 'active' as const } };
  });
  const answers = await issueInMemory(inputs, options);
  const declaredPassports: Declared[] = [];
  const faults: Fault[] = [];
  for (const [index, { path: file, placeOf }] of writtenPassports.entries()) {
    const answer = answers[index];
    if (answer instanceof IdentityError || answer === undefined) faults.push(...faultsOf(answer, placeOf));
    else {
      const { agent_id, parent_agent_id } = answer;
      declaredPassports.push({ file, agent_id, parent_agent_id, passport: answer });
    }
  }
  refuseFaults(faults);
  const { generations, lost } = parentsFirst(declaredPassports);
  const tooLow = generations.slice(MAX_GENERATIONS).flat();
  const places = new Map(
    writtenPassports.map((passport) => [idOf(passport.value), passport.placeOf('/parent_agent_id')]),
  );
  refuseFaults([
    ...lost.map(({ agent_id }) => ({
      place: places.get(agent_id) ?? '',
      message: 'The agent is among its own parents. Correct parent_agent_id.',
    })),
    ...tooLow.map(({ agent_id }) => ({
      place: places.get(agent_id) ?? '',
      message: `The agent has more than ${MAX_GENERATIONS - 1} agents above it.`,
    })),
  ]);
  return generations;
}

async function readWritten(path: string): Promise<readonly WrittenPassport[]> {
  const writtenPassports: WrittenPassport[] = [];
  const faults: Fault[] = [];
  for await (const file of readFiles(path)) {
    try {
      writtenPassports.push(...(await passportsIn(file)));
    } catch (error) {
      if (!(error instanceof FaultyFile)) throw error;
      faults.push(...error.faults);
    }
    if (faults.length >= MAX_FAULTS) break;
    if (writtenPassports.length > MAX_PASSPORTS)
      throw usageError(`There are more than ${MAX_PASSPORTS} passports. Name fewer files.`);
  }
  refuseFaults(faults);
  return writtenPassports;
}

async function passportsIn({ path, bytes }: FoundFile): Promise<readonly WrittenPassport[]> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const secrets = secretsInText(path, text);
  if (secrets.length > 0) throw new FaultyFile(secrets);
  const passports = isYaml(path)
    ? readYamlDocuments(await loadYaml(), path, bytes)
    : [readJsonDocument(path, bytes)];
  // An empty file may be one that was cut off: its agents would be suspended as no longer named.
  if (passports.length === 0)
    throw new FaultyFile([{ place: placeIn(path, text, 0), message: 'The file has no passport in it.' }]);
  const inside = passports.flatMap(secretsInValue);
  if (inside.length > 0) throw new FaultyFile(inside);
  return passports;
}

/**
 * Returns the errors that only the files show, such as two passports of one agent or a wrong `agent_id`. The
 * service cannot detect them, because it gets each passport separately and without its `agent_id`.
 */
function ownFaults(writtenPassports: readonly WrittenPassport[]): readonly Fault[] {
  const places = new Map<string, string>();
  return writtenPassports.flatMap(({ value, placeOf }): readonly Fault[] => {
    const faults: Fault[] = [];
    const refuse = (pointer: string, message: string) => faults.push({ place: placeOf(pointer), message });
    const agent_id = idOf(value);
    const placeBefore = places.get(agent_id);
    if (placeBefore !== undefined) refuse('', `The same agent is at ${placeBefore}. Remove one.`);
    places.set(agent_id, placeOf(''));
    if (value['agent_id'] !== undefined && value['agent_id'] !== agent_id)
      refuse('/agent_id', `This must be ${agent_id}, the id of the domain and the agent_name.`);
    if (Object.hasOwn(value, 'managed_by'))
      refuse('/managed_by', 'A file does not name its set: run with --set.');
    const parent = value['parent_agent_id'];
    if (typeof parent === 'string' && !AGENT_ID.test(parent))
      refuse('/parent_agent_id', 'This must be the id of an agent.');
    return faults;
  });
}

function idOf({ domain, agent_name }: WrittenPassport['value']): string {
  return `did:web:${domain}:agents:${agent_name}`;
}

function faultsOf(error: IdentityError | undefined, placeOf: WrittenPassport['placeOf']): readonly Fault[] {
  const { errors = [{ path: '', message: error?.message ?? 'The command cannot read the passport.' }] } =
    error?.details ?? {};
  return errors.map(({ path, message }) => ({ place: placeOf(path), message }));
}

function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw faultError(faults);
}
