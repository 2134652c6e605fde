import type { JSX } from 'preact';
import type { Passport } from '../../../../../src/index.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, More, Shown } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Status } from '../../parts/verdict.tsx';
import { queryOf } from '../../state/api.ts';
import { useSearch } from '../../state/load.ts';
import { usePages } from '../../state/pages.ts';
import { may } from '../../state/rights.ts';
import { href, route, setQuery, useQueryText } from '../../state/route.ts';
import { count, money } from '../../text/words.ts';

const COLUMNS: readonly Column<Passport>[] = [
  {
    title: 'Agent',
    cell: ({ agent_id, agent_name, domain }) => (
      <>
        <a class="name clip" href={href(['passports', agent_id])}>
          {agent_name}
        </a>
        <span class="sub">{domain}</span>
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    title: 'Actions',
    cell: ({ allowed_actions }) => count(allowed_actions.length),
    isNumber: true,
    isWidest: true,
  },
  {
    title: 'Limit',
    cell: ({ monetary_limit_per_txn, currency }) => money(monetary_limit_per_txn, currency),
    isNumber: true,
    isWide: true,
  },
  {
    title: 'Expires',
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} ago /> : <span class="quiet">never</span>),
    isWide: true,
  },
  { title: 'Version', cell: ({ version }) => count(version), isNumber: true, isWidest: true },
  { title: 'Updated', cell: ({ updated_at }) => <Time at={updated_at} ago />, isWidest: true },
];

export function PassportList(): JSX.Element {
  const { query } = route.value;
  const status = query.get('status') ?? '';
  const wanted = query.get('q') ?? '';
  const [text, setText] = useQueryText('q');
  const create = may('POST /passports') && (
    <a class="button primary" href={href(['passports', 'new'])}>
      Issue passport
    </a>
  );
  return (
    <Page title="Passports" lead="The actions and amounts that each agent may use." actions={create}>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ q: text.trim() });
        }}
      >
        <TextField
          label="Search"
          type="search"
          placeholder="Name, domain or description"
          value={text}
          onValue={setText}
        />
        <SelectField
          label="Status"
          value={status}
          onValue={(value) => setQuery({ status: value })}
          options={[
            ['', 'Any'],
            ['active', 'Active'],
            ['suspended', 'Suspended'],
            ['expired', 'Expired'],
            ['revoked', 'Revoked'],
          ]}
        />
      </form>
      {wanted === '' ? <Listed status={status} /> : <Found key={status} text={wanted} status={status} />}
    </Page>
  );
}

function Listed({ status }: { status: string }): JSX.Element {
  const pages = usePages<Passport>(`/passports${queryOf({ status })}`);
  return (
    <>
      <Shown of={pages.loaded}>
        {(passports) =>
          passports.length > 0 ? (
            <List rows={passports} />
          ) : status === '' ? (
            <Empty title="There is no passport yet.">
              <p>A passport says what one agent may do. Without one, everything is denied.</p>
              {may('POST /passports') && (
                <a class="button primary" href={href(['passports', 'new'])}>
                  Issue the first passport
                </a>
              )}
            </Empty>
          ) : (
            <Empty title={`No passport is ${status}.`} />
          )
        }
      </Shown>
      <More pages={pages} />
    </>
  );
}

/** Shows the passports that contain a text. The API has no search, so the page filters the whole list. */
function Found({ text, status }: { text: string; status: string }): JSX.Element {
  const { found, seen, isDone, loaded } = useSearch(text, status);
  return (
    <>
      <p class="quiet count-line" role="status">
        {isDone ? `${count(found.length)} of ${count(seen)} passports` : `Searching… ${count(seen)} read`}
      </p>
      <Shown of={loaded}>
        {() =>
          found.length > 0 ? (
            <List rows={found} />
          ) : isDone ? (
            <Empty title="No passport matches." />
          ) : (
            <span />
          )
        }
      </Shown>
    </>
  );
}

function List({ rows }: { rows: readonly Passport[] }): JSX.Element {
  return <Table caption="Passports" columns={COLUMNS} rows={rows} idOf={({ agent_id }) => agent_id} />;
}
