/**
 * Writes passports as files. Each file is written and then renamed, so that no reader sees an incomplete file. Nothing
 * is deleted.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Passport } from '../../../src/index.ts';
import { visible } from '../output/terminal.ts';
import { declaredFields } from './plan.ts';
import { isPlainText } from './yaml-documents.ts';

export const FORMATS = ['json', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * Matches a domain of an agent id that is safe as a folder name. `AGENT_NAME` matches an agent name that is safe as a
 * file name.
 */
const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?:%3A[0-9]{1,5})?$/;
const AGENT_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9_-])?$/;

export async function writePassport(folder: string, passport: Passport, format: Format): Promise<string> {
  const { agent_id, domain, agent_name } = passport;
  const isSafe = DOMAIN.test(domain) && !domain.includes('..') && AGENT_NAME.test(agent_name);
  if (!isSafe || agent_id !== `did:web:${domain}:agents:${agent_name}`) {
    throw new Error('The service answered with a passport whose agent_id is no id of an agent.');
  }
  const inside = join(folder, domain);
  await mkdir(inside, { recursive: true });
  if (!(await lstat(inside)).isDirectory())
    throw new Error(`${inside} is a link. Name a folder without links.`);
  const path = join(inside, `${agent_name}.${format}`);
  // `apply` skips a name that begins with a dot, should this process be killed.
  const fresh = join(inside, `.${agent_name}.${randomUUID()}`);
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = await open(fresh, flags, 0o644);
    try {
      await file.writeFile(fileText(passport, format));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
  return path;
}

function fileText(passport: Passport, format: Format): string {
  const fields = declaredFields(passport);
  const text = format === 'json' ? `${JSON.stringify(fields, null, 2)}\n` : yamlLines(fields, '').join('');
  return text
    .split('\n')
    .map((line) => (format === 'json' ? visible(line) : visibleYaml(line)))
    .join('\n');
}

function yamlLines(fields: Readonly<Record<string, unknown>>, indent: string): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const head = `${indent}${scalarText(name)}:`;
    if (isEmpty(value) || !isNested(value)) return [`${head} ${scalarText(value)}\n`];
    if (!Array.isArray(value)) return [`${head}\n`, ...yamlLines(Object(value), `${indent}  `)];
    return [`${head}\n`, ...value.flatMap((item) => itemLines(item, `${indent}  `))];
  });
}

function itemLines(item: unknown, indent: string): readonly string[] {
  if (!isNested(item) || isEmpty(item) || Array.isArray(item)) return [`${indent}- ${scalarText(item)}\n`];
  const [first = '', ...otherLines] = yamlLines(Object(item), `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...otherLines];
}

/** Returns a scalar, or a list in one line, as YAML. It uses JSON, which is valid YAML. */
function scalarText(value: unknown): string {
  return typeof value === 'string' && isPlainText(value) ? value : JSON.stringify(value);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: unknown): boolean {
  return isNested(value) && Object.keys(Object(value)).length === 0;
}

/** Escapes each invisible character as YAML requires. */
function visibleYaml(line: string): string {
  return visible(line).replaceAll(/\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/g, (_, high, low) => {
    const point =
      String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0;
    return `\\U${point.toString(16).padStart(8, '0')}`;
  });
}
