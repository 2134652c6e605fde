/** That the passports of the page "Set limits" are those of the templates, and do what the page says. */
import { describe, expect, test } from 'vitest';
import { PASSPORT_TEMPLATES } from '../adapters/dashboard/app/text/passport-templates.ts';
import { decide, type Intent, type Reason } from '../src/verdict/index.ts';
import { readPage } from './readme/pages.ts';
import { openLocalService } from './support/service.ts';

/** An intent of the page, with the verdict and what stands below a denial. */
interface Shown {
  readonly verdict: string;
  readonly action: string;
  readonly parameters: object;
  readonly told: string;
}

interface Section {
  readonly job: string;
  readonly summary: string;
  readonly fields: object;
  readonly intents: readonly Shown[];
}

const SECTION = /^### (.+)\n\n(.+)\n\n```text\n(\{\n[\s\S]*?\n\})\n\n([\s\S]*?)\n```$/gm;
const INTENT = /^(ALLOW|DENY) +(\S+) (\{.*\})(?:\n {6}(.+))?$/gm;

const sections = [...readPage('examples/limits/README.md').matchAll(SECTION)].map(
  ([, job = '', summary = '', fields = '', intents = '']): Section => ({
    job,
    summary,
    fields: JSON.parse(fields),
    intents: [...intents.matchAll(INTENT)].map(
      ([, verdict = '', action = '', parameters = '', told = '']) => ({
        verdict,
        action,
        parameters: JSON.parse(parameters),
        told,
      }),
    ),
  }),
);

/** A reason as the page writes it. */
function toldOf({ code, at, test: name }: Reason): string {
  return [code, at === '' ? '""' : at, name].filter((part) => part !== undefined).join(' ');
}

function shownBy(verdict: string, reasons: readonly Reason[]): string {
  return [verdict, ...reasons.map(toldOf)].join(' ');
}

test('the page shows each template with its sentence and its passport', () => {
  expect(PASSPORT_TEMPLATES.length).toBe(10);
  const shown = sections.map(({ job, summary, fields }) => ({ job, summary, fields }));
  expect(shown).toEqual(PASSPORT_TEMPLATES);
});

describe.each(sections)('$job', ({ job, fields, intents }) => {
  test('has two intents that pass and three that do not', () => {
    expect(intents.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'ALLOW', 'DENY', 'DENY', 'DENY']);
  });

  test('is what the page says, by decide and by the service', async () => {
    const { service } = openLocalService();
    const agent_name = job.toLowerCase().replaceAll(' ', '-');
    const issued = await service.passports.create({ domain: 'example.com', agent_name, ...fields } as never);
    const { agent_id } = issued;
    const budgets = {
      [agent_id]: Object.fromEntries(
        (issued.budgets ?? []).map(({ name = '' }) => [name, { spent: '0', count: 0 }]),
      ),
    };
    for (const { verdict, action, parameters, told } of intents) {
      const expected = [verdict, ...(told === '' ? [] : [told])].join(' ');
      const intent = { agent_id, action, parameters } as Intent;
      const decided = decide({ passport: issued, intent, at: Date.now(), budgets });
      expect([action, parameters, shownBy(decided.verdict, decided.reasons)]).toEqual([
        action,
        parameters,
        expected,
      ]);
      const verified = await service.verify(intent);
      const reasons = verified.reasons.map(
        ({ approval_id: _, expires_at: __, ...reason }) => reason as Reason,
      );
      expect([action, parameters, shownBy(verified.verdict, reasons)]).toEqual([
        action,
        parameters,
        expected,
      ]);
    }
  });
});
