/** Passports leave one storage and come back from another: not a byte is lost, and nothing is written twice. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { evaluatePassports, importPassports } from '../../adapters/cli/import/import-passports.ts';
import { allPassports, parentsFirst } from '../../adapters/cli/import/parents-first.ts';
import { lineOf } from '../../adapters/cli/import/passport-line.ts';
import { countsOf, type Report, readPassports } from '../../adapters/cli/import/read-passports.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createIdentityService, type IdentityService } from '../../src/core.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { nightly, sized } from '../support/runs.ts';
import { namedStores, openOne } from '../support/stores.ts';
import { passportLists } from './passport-lists.ts';

const PASSPORTS = nightly(10_000, sized(400, 24));

function openPlace(storage: StorageAdapter): IdentityService {
  const proofAudiences = ['https://id.example.net/api'];
  const service = createIdentityService({ storage, proofAudiences, storageDeadlineMs: PATIENT_MS });
  onTestFinished(() => service.close());
  return service;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ais-import-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function importText(service: IdentityService, text: string): Promise<readonly Report[]> {
  const file = join(folder(), 'passports.jsonl');
  writeFileSync(file, text);
  const read = await readPassports(file, { keepGoing: false });
  const { sound, refused } = await evaluatePassports(read, { allowLocalhost: false });
  expect(refused).toEqual([]);
  const reports: Report[] = [];
  await importPassports(
    {
      passports: service.as().passports,
      importPassports: (some) => service.passports.createAll(some),
      importsAtOnce: 512,
      revoke: () => expect.fail('It is revoked from its first version on.'),
    },
    parentsFirst(sound).generations,
    { dryRun: false, keepGoing: false, onReports: (some) => reports.push(...some) },
  );
  return reports;
}

async function exportText(service: IdentityService): Promise<string> {
  const all = await allPassports(service.as(), () => undefined);
  return all.map((passport) => `${lineOf(passport)}\n`).join('');
}

/** As a person writes them: neither in our order nor with all that may be left out. */
function handWritten(count: number): string {
  const [list = []] = fc.sample(passportLists(count), { numRuns: 1, seed: 22 });
  return list.map(({ input, standing }) => `${JSON.stringify({ ...standing, ...input })}\n`).join('');
}

const TEXT = handWritten(PASSPORTS);

test.each(await namedStores())(
  `${PASSPORTS} passports are the same from memory, from %s and back; a second import changes nothing`,
  async (_, store) => {
    const first = openPlace(memoryStorage());
    expect(countsOf(await importText(first, TEXT))).toMatchObject({ create: PASSPORTS });
    const exported = await exportText(first);
    const second = openPlace(await openOne(store));
    expect(countsOf(await importText(second, exported))).toMatchObject({ create: PASSPORTS });
    expect(await exportText(second)).toBe(exported);
    expect(countsOf(await importText(second, exported))).toMatchObject({ unchanged: PASSPORTS });
    expect(await exportText(second)).toBe(exported);
    const { data } = await second.passports.list({ limit: 100 });
    expect(new Set(data.map(({ version }) => version))).toEqual(new Set([1]));
  },
  600_000,
);
