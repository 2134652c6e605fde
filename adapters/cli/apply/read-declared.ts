/** Reads the passports in files, and checks all of them before the first request. */

import { constants, type Dirent } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IdentityError, type Passport, type PassportInput } from '../../../src/index.ts';
import { type EvaluateOptions, issueInMemory } from '../import/import-passports.ts';
import { type Descendant, parentsFirst } from '../import/parents-first.ts';
import { usageError } from '../output/error.ts';
import {
  type Fault,
  FaultyFile,
  faultError,
  placeIn,
  secretsInText,
  secretsInValue,
  type WrittenPassport,
} from './document.ts';
import { readJsonDocument } from './json-document.ts';
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

// Finds and reads the files of `apply`. No passport file is skipped silently, because `--prune` would suspend
// the agents of a skipped file.

interface FoundFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const MAX_DEPTH = 8;
const MAX_FILES = 10_000;
const MAX_FILE_BYTES = 1024 * 1024;

const SKIPPED = /^(?:\.|node_modules$)/;

const NAMED = /\.(?:json|yaml|yml)$/;

function isYaml(path: string): boolean {
  return !path.endsWith('.json');
}

async function* readFiles(path: string): AsyncIterable<FoundFile> {
  // The given path may be a link, such as /tmp; nothing below it may.
  const stats = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw usageError(`${path} cannot be read (${cause.code}).`, cause);
  });
  if (!stats.isDirectory()) {
    if (!NAMED.test(path))
      throw usageError(`${path} is no folder, and its name does not end in .json, .yaml or .yml.`);
    yield await readFound(path, 0);
    return;
  }
  const paths: string[] = [];
  await walk(path, 1, paths);
  for (const path of paths) yield await readFound(path, constants.O_NOFOLLOW);
}

async function walk(folder: string, depth: number, paths: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    throw usageError(`${folder} cannot be read (${cause.code}).`, cause);
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (SKIPPED.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth === MAX_DEPTH) throw usageError(`${path} is deeper than ${MAX_DEPTH} folders.`);
      await walk(path, depth + 1, paths);
    } else {
      refuseOther(entry, path);
      if (!NAMED.test(entry.name)) continue;
      paths.push(path);
      if (paths.length > MAX_FILES)
        throw usageError(`There are more than ${MAX_FILES} files. Name a folder with fewer.`);
    }
  }
}

function refuseOther(entry: Dirent, path: string): void {
  if (entry.isSymbolicLink()) throw usageError(`${path} is a symbolic link. Name the file that it leads to.`);
  if (!entry.isFile()) throw usageError(`${path} is no file.`);
}

/**
 * Reads a regular file of at most 1 MiB. The check uses the opened file, because another process may replace the file
 * after it was found.
 */
async function readFound(path: string, flags: number): Promise<FoundFile> {
  let file: FileHandle | undefined;
  try {
    // Without O_NONBLOCK a pipe would wait for its writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
    const stats = await file.stat();
    if (!stats.isFile()) throw usageError(`${path} is no file.`);
    const buffer = new Uint8Array(Math.min(stats.size, MAX_FILE_BYTES) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    if (length === buffer.length) throw usageError(`${path} is larger than 1 MiB, or grows.`);
    return { path, bytes: buffer.subarray(0, length) };
  } catch (cause) {
    if (cause instanceof IdentityError) throw cause;
    throw usageError(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, cause);
  } finally {
    await file?.close();
  }
}
