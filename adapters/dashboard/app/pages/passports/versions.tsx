import type { JSX } from 'preact';
import type { PassportVersion } from '../../../../../src/types.ts';
import { More, Shown } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../state/pages.ts';
import { href } from '../../state/route.ts';
import { linesOfBudgets } from '../../text/budget-lines.ts';
import { money } from '../../text/words.ts';

/** The fields that every change changes. They are not shown as differences. */
const LEFT_OUT: ReadonlySet<string> = new Set(['version', 'updated_at', 'changed_at', 'changed_by']);

const LABELS: Readonly<Record<string, string>> = {
  monetary_limit_per_txn: 'limit per transaction',
  not_before: 'valid from',
  expires_at: 'valid until',
};

export function Versions({ id }: { id: string }): JSX.Element {
  const pages = usePages<PassportVersion>(`/passports/${encodeURIComponent(id)}/versions`);
  return (
    <>
      <Shown of={pages.loaded} rows={2}>
        {(versions) => (
          <ol class="versions">
            {versions.map((version, index) => (
              <li key={version.version}>
                <h3>
                  Version {version.version}{' '}
                  <span class="quiet">
                    <Time at={version.changed_at} /> by <Author id={version.changed_by} />
                  </span>
                </h3>
                <Changes from={versions[index + 1]} to={version} />
              </li>
            ))}
          </ol>
        )}
      </Shown>
      <More pages={pages} />
    </>
  );
}

function Author({ id }: { id: string }): JSX.Element {
  if (!id.startsWith('key_')) return <span title={id}>the account</span>;
  return <a href={href(['keys', id])}>{id}</a>;
}

function Changes(props: { from: PassportVersion | undefined; to: PassportVersion }): JSX.Element {
  const { from, to } = props;
  if (from === undefined)
    return <p class="quiet">{to.version === 1 ? 'Issued.' : 'Show more to see what changed.'}</p>;
  const changes = differences(from, to);
  if (changes.length === 0) return <p class="quiet">Nothing else changed.</p>;
  return (
    <dl class="changes">
      {changes.map(({ name, before, after }) => (
        <div key={name}>
          <dt>{LABELS[name] ?? name.replaceAll('_', ' ')}</dt>
          <dd>
            {before.map((text) => (
              <del key={text} dir="auto">
                {text}
              </del>
            ))}
            {after.map((text) => (
              <ins key={text} dir="auto">
                {text}
              </ins>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Change {
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function differences(from: PassportVersion, to: PassportVersion): Change[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names]
    .filter(
      (name) =>
        !LEFT_OUT.has(name) && from[name as keyof PassportVersion] !== to[name as keyof PassportVersion],
    )
    .map((name) => {
      const before = textsIn(from, name);
      const after = textsIn(to, name);
      return {
        name,
        before: before.filter((text) => !after.includes(text)),
        after: after.filter((text) => !before.includes(text)),
      };
    })
    .filter(({ before, after }) => before.length + after.length > 0);
}

function textsIn(version: PassportVersion, name: string): string[] {
  const { monetary_limit_per_txn, currency, budgets = [], public_keys = [] } = version;
  if (name === 'monetary_limit_per_txn') return [money(monetary_limit_per_txn, currency)];
  if (name === 'budgets') return [...linesOfBudgets(budgets)];
  if (name === 'public_keys') return public_keys.map(({ kid, alg }) => `${kid} (${alg})`);
  return textsOf(version[name as keyof PassportVersion]);
}

function textsOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map(textOf);
  if (typeof value === 'object')
    return Object.entries(value).map(([name, part]) => `${name} = ${textOf(part)}`);
  return [textOf(value)];
}

function textOf(value: unknown): string {
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
}
