import type { JSX } from 'preact';
import type { AccountOverview, Analytics } from '../../../../../src/types.ts';
import { SelectField } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { call, queryOf } from '../../state/api.ts';
import { useLoad } from '../../state/load.ts';
import { href, route, setQuery } from '../../state/route.ts';
import { count } from '../../text/words.ts';
import { Tile, Tiles } from '../overview/overview-page.tsx';
import { Chart } from './chart.tsx';
import { Completeness } from './completeness.tsx';
import { Ranking } from './ranking.tsx';

interface Shot {
  readonly analytics: Analytics;
  readonly account: AccountOverview;
}

export function AnalyticsPage(): JSX.Element {
  const { query } = route.value;
  const range = rangeNamed(query.get('range'));
  const environment = query.get('environment') === 'test' ? 'test' : 'live';
  const agent_id = query.get('agent_id') ?? '';
  const loading = useLoad<Shot>(`${range.name} ${environment} ${agent_id}`, async (signal) => {
    const { interval } = range;
    const path = `/analytics${queryOf({ from: startOf(range), interval, environment, agent_id })}`;
    const [analytics, account] = await Promise.all([
      call<Analytics>('GET', path, { signal }),
      call<AccountOverview>('GET', '/account', { signal }),
    ]);
    return { analytics, account };
  });
  const refresh = (
    <button type="button" class="button" onClick={loading.reload} aria-busy={loading.isLoading}>
      Refresh
    </button>
  );
  return (
    <Page
      title="Analytics"
      lead="The intents of your agents and their verdicts, without dry runs."
      actions={refresh}
    >
      <div class="filters">
        <SelectField
          label="Time"
          value={range.name}
          onValue={(name) => setQuery({ range: name })}
          options={RANGES.map(({ name, text }) => [name, text])}
        />
        <SelectField
          label="Environment"
          value={environment}
          onValue={(name) => setQuery({ environment: name })}
          options={[
            ['live', 'Live'],
            ['test', 'Test'],
          ]}
        />
      </div>
      {agent_id !== '' && (
        <p class="only">
          Only <code>{agent_id}</code>{' '}
          <button type="button" class="button small" onClick={() => setQuery({ agent_id: '' })}>
            Show every agent
          </button>
        </p>
      )}
      {loading.failure?.status === 404 ? (
        <Empty title="This service has no analytics." />
      ) : (
        <Shown of={loading} rows={12}>
          {({ analytics, account }) => (
            <>
              <Completeness analytics={analytics} bornAt={account.created_at} />
              {analytics.overview.total_verifications === 0 ? (
                <Nothing range={range} />
              ) : (
                <Numbers analytics={analytics} range={range} />
              )}
            </>
          )}
        </Shown>
      )}
    </Page>
  );
}

function Nothing({ range }: { range: Range }): JSX.Element {
  const longest = RANGES.at(-1) ?? range;
  return (
    <Empty title={`No verdicts in the ${range.text.toLowerCase()}.`}>
      <p>Numbers appear as soon as an application asks for a verdict.</p>
      <div class="actions">
        {range !== longest && (
          <button type="button" class="button" onClick={() => setQuery({ range: longest.name })}>
            Show the {longest.text.toLowerCase()}
          </button>
        )}
        <a class="button" href={href(['try'])}>
          Try it
        </a>
      </div>
    </Empty>
  );
}

function Numbers({ analytics, range }: { analytics: Analytics; range: Range }): JSX.Element {
  const { overview, series, latency_us, top_agents, top_actions, top_reasons } = analytics;
  return (
    <>
      <Tiles name="Verdicts">
        <Tile name="ALLOW" value={count(overview.allowed)} />
        <Tile name="DENY" value={count(overview.denied)} note={shareOf(overview)} />
      </Tiles>
      <section class="part gap">
        <h2>Over time</h2>
        <Chart
          series={series}
          isDaily={range.interval === 'day'}
          name={`ALLOW and DENY, ${range.text.toLowerCase()}`}
        />
        {range.interval === 'day' && <p class="hint under">A bar is a day in UTC.</p>}
      </section>
      <div class="columns gap">
        <Ranking
          title="Top agents"
          column="Agent"
          rows={top_agents}
          linkOf={(key) => href(['analytics'], { ...queryNow(), agent_id: key })}
        />
        <Ranking title="Top actions" column="Action" rows={top_actions} />
        <Ranking
          title="Top reasons"
          column="Reason"
          rows={top_reasons}
          none="Nothing was denied."
          linkOf={(key) => href(['verdicts'], { ...verdictsNow(), reason: key })}
        />
      </div>
      <section class="part gap">
        <h2>Time to decide</h2>
        {overview.total_verifications < FEW_VERDICTS && (
          <p class="hint">
            With so few verdicts, these times are mostly the first read of each passport and key.
          </p>
        )}
        <Tiles name="Time to decide">
          <Tile name="p50" value={milliseconds(latency_us.p50)} note="at most, for half" />
          <Tile name="p95" value={milliseconds(latency_us.p95)} note="for 95 of 100" />
          <Tile name="p99" value={milliseconds(latency_us.p99)} note="for 99 of 100" />
        </Tiles>
      </section>
    </>
  );
}

/**
 * The number of verdicts below which the page shows a hint. With so few verdicts, most latencies contain the
 * first read of a passport or key.
 */
const FEW_VERDICTS = 500;

function verdictsNow(): Record<string, string> {
  const { environment = 'live', agent_id = '' } = queryNow();
  return { environment, agent_id };
}

function queryNow(): Record<string, string> {
  return Object.fromEntries(route.value.query);
}

function shareOf({ denied, total_verifications }: Analytics['overview']): string {
  const share = (denied / total_verifications).toLocaleString(undefined, {
    style: 'percent',
    maximumFractionDigits: 1,
  });
  return `${share} of all`;
}

function milliseconds(us: number | null): string {
  if (us === null) return '–';
  return `${(us / 1000).toLocaleString(undefined, { maximumSignificantDigits: 3 })} ms`;
}

interface Range {
  readonly name: string;
  readonly text: string;
  readonly interval: 'minute' | 'hour' | 'day';
  readonly points: number;
}

const MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The selectable periods. The second one is the default. */
const RANGES: readonly [Range, Range, ...Range[]] = [
  { name: '1h', text: 'Last hour', interval: 'minute', points: 60 },
  { name: '24h', text: 'Last 24 hours', interval: 'hour', points: 24 },
  { name: '7d', text: 'Last 7 days', interval: 'hour', points: 168 },
  { name: '30d', text: 'Last 30 days', interval: 'day', points: 30 },
  { name: '90d', text: 'Last 90 days', interval: 'day', points: 90 },
];

function rangeNamed(name: string | null): Range {
  return RANGES.find((range) => range.name === name) ?? RANGES[1];
}

/** Returns the start of the first bar, so that the last bar contains the present. Bars are whole intervals in UTC. */
function startOf({ interval, points }: Range, now: number = Date.now()): string {
  const length = MS[interval];
  return new Date((Math.floor(now / length) - points + 1) * length).toISOString();
}
