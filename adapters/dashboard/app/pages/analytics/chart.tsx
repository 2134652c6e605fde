import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SeriesPoint } from '../../../../../src/types.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { dayText, timeText } from '../../text/time.ts';
import { count } from '../../text/words.ts';

const COLUMNS: readonly Column<SeriesPoint>[] = [
  { title: 'ALLOW', cell: ({ allowed }) => count(allowed), isNumber: true },
  { title: 'DENY', cell: ({ denied }) => count(denied), isNumber: true },
];

interface Shape {
  readonly series: readonly SeriesPoint[];
  readonly isDaily: boolean;
}

export function Chart(props: Shape & { name: string }): JSX.Element {
  const { series, isDaily, name } = props;
  const [isTable, setTable] = useState(false);
  return (
    <figure class="chart">
      <figcaption class="legend">
        <span class="allowed">ALLOW</span>
        <span class="denied">DENY, on top</span>
        <button type="button" class="button small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Show as a table
        </button>
      </figcaption>
      {isTable ? (
        <Table
          caption={name}
          columns={[
            { title: isDaily ? 'Day' : 'From', cell: ({ start }) => <Time at={start} isDay={isDaily} /> },
            ...COLUMNS,
          ]}
          rows={series}
          idOf={({ start }) => start}
        />
      ) : (
        <Bars {...props} />
      )}
    </figure>
  );
}

/** The width of a bar with its gap, in units of the picture. `HEIGHT` is the height of the highest bar. */
const SLOT = 10;
const HEIGHT = 100;

function Bars({ series, isDaily, name }: Shape & { name: string }): JSX.Element {
  const top = Math.max(1, ...series.map(({ allowed, denied }) => allowed + denied));
  const [first, last] = [series[0], series.at(-1)];
  const width = series.length * SLOT;
  return (
    <>
      <p class="hint">Highest bar: {count(top)}</p>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}. ${sumOf(series)} Every number is in the table.`}
      >
        {[0, HEIGHT / 2, HEIGHT].map((y) => (
          <line key={y} x1="0" x2={width} y1={y} y2={y} />
        ))}
        {series.map((point, index) => (
          <Bar
            key={point.start}
            point={point}
            title={isDaily ? dayText(point.start) : timeText(point.start)}
            x={index * SLOT}
            scale={HEIGHT / top}
          />
        ))}
      </svg>
      <p class="ends">
        {first && <Time at={first.start} isDay={isDaily} />}
        {last && <Time at={last.start} isDay={isDaily} />}
      </p>
    </>
  );
}

/** Draws a bar. The whole slot reacts to the pointer, even if the bar is low. */
function Bar(props: { point: SeriesPoint; title: string; x: number; scale: number }): JSX.Element {
  const { point, title, x, scale } = props;
  const { allowed, denied } = point;
  const top = HEIGHT - allowed * scale;
  return (
    <g data-exact={`${title}\nALLOW ${count(allowed)}\nDENY ${count(denied)}`}>
      <rect class="slot" x={x} width={SLOT} y="0" height={HEIGHT} />
      <rect class="allowed" x={x + 1} width={SLOT - 2} y={top} height={allowed * scale} />
      <rect class="denied" x={x + 1} width={SLOT - 2} y={top - denied * scale} height={denied * scale} />
    </g>
  );
}

function sumOf(series: readonly SeriesPoint[]): string {
  const sum = (field: 'allowed' | 'denied'): string =>
    count(series.reduce((total, point) => total + point[field], 0));
  return `${sum('allowed')} ALLOW and ${sum('denied')} DENY.`;
}
