import { visible } from '../output/terminal.ts';
import { drawHistogram } from './histogram.ts';
import { type BenchReport, notesOn, whole } from './report.ts';

const NAMES: Readonly<Record<keyof BenchReport['latency_us'], string>> = {
  min: 'fastest',
  p50: 'p50',
  p90: 'p90',
  p99: 'p99',
  p99_9: 'p99.9',
  p99_99: 'p99.99',
  max: 'slowest',
};

/** The number of verdicts from which p99.99 is reliable. Ten verdicts are then slower than p99.99. */
const ENOUGH = 100_000;

/** Returns the report as an HTML page without scripts and external resources. */
export function reportHtml(report: BenchReport): string {
  const { latency_us: latency, per_second_range: range } = report;
  const title = `How fast verdicts are: ${report.target}`;
  const instant = report.at.slice(0, 16).replace('T', ' ');
  const isEnough = report.verdicts >= ENOUGH;
  const cards = [
    ['verdicts a second', whole(report.per_second), range && `${whole(range[0])} to ${whole(range[1])}`],
    ['p50', time(latency.p50), 'half are faster'],
    ['p99', time(latency.p99), 'one in 100 is slower'],
    ['p99.99', time(latency.p99_99), isEnough ? 'one in 10,000 is slower' : 'of too few verdicts to tell'],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>How fast verdicts are</h1>
<p><strong>${escaped(report.target)}</strong><br>Measured ${instant} UTC with <code>agent-identity bench</code> ${escaped(report.version)}, for ${report.seconds} seconds.</p>
${notes(report)}
<div class="cards">${cards.map(card).join('')}</div>
<h2>How long a verdict took</h2>
${drawHistogram(report.histogram, {
  p50: latency.p50,
  p99: latency.p99,
  'p99.9': latency.p99_9,
  'p99.99': latency.p99_99,
})}
<p>${paceText(report)} Both axes are logarithmic.</p>
<table><thead><tr><th>of ${whole(report.verdicts)} verdicts</th><th>latency</th></tr></thead><tbody>
${Object.entries(NAMES)
  .map(([key, name]) => row(name, time(latency[key as keyof typeof NAMES])))
  .join('\n')}
</tbody></table>
<h2>What was measured</h2>
<table><tbody>
${setUp(report)
  .map(([name, value]) => row(name, value))
  .join('\n')}
</tbody></table>
</main>
</body>
</html>
`;
}

function notes(report: BenchReport): string {
  const texts = notesOn(report);
  if (texts.length === 0)
    return '<p class="quiet">The machine was quiet: nothing speaks against the figures.</p>';
  return `<ul class="doubts">${texts.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul>`;
}

function card([name, value, suffix]: readonly (string | null | undefined)[]): string {
  return `<div><b>${escaped(value ?? '')}</b><span>${escaped(name ?? '')}</span><small>${escaped(suffix ?? '')}</small></div>`;
}

function paceText({ rate, connections }: BenchReport): string {
  const callers = connections === 1 ? 'One caller' : `${whole(connections)} callers`;
  if (rate === null) return `${callers} asked again as soon as the answer was there.`;
  return `${callers} asked ${whole(rate)} times a second; a latency counts from when its question was due.`;
}

function setUp(report: BenchReport): readonly (readonly [string, string])[] {
  const {
    machine,
    memory,
    late_us: late,
    event_loop_delay_ms: delay,
    records_dropped: droppedCount,
  } = report;
  const errors = Object.entries(report.errors).map(([code, count]) => `${code} ${whole(count)}`);
  return [
    ['service', report.target],
    ['passports', whole(report.passports)],
    ['callers at a time', whole(report.connections)],
    ['asked a second', report.rate === null ? 'as fast as answered' : whole(report.rate)],
    ['errors', errors.join(', ') || 'none'],
    ...(droppedCount === null ? [] : [['verdicts not recorded', whole(droppedCount)] as const]),
    ...(late === null ? [] : [['asked late, p99', time(late.p99)] as const]),
    ['event loop late, p99 and longest', `${delay.p99.toFixed(1)} ms, ${delay.max.toFixed(1)} ms`],
    ['memory of this process', `${whole(Math.round(memory.rss_bytes / 1_048_576))} MiB`],
    ['measured from', `${machine.cpu}, ${machine.cores} cores, ${machine.memory_gib} GiB, ${machine.system}`],
    ['Node', report.node],
  ];
}

function row(name: string, value: string): string {
  return `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`;
}

function time(us: number): string {
  if (us < 1_000) return `${us.toFixed(us < 10 ? 2 : 1)} µs`;
  return us < 1e6 ? `${(us / 1e3).toFixed(2)} ms` : `${(us / 1e6).toFixed(2)} s`;
}

function escaped(text: string): string {
  return visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --bar: #1a7f37; --mark: #9a6700; --warn: #fff1e5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --bar: #3fb950; --mark: #d29922; --warn: #3d2c16; } }
body { margin: 0; font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); background: Canvas; }
main { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2rem; }
p { color: var(--soft); }
.doubts { background: var(--warn); border-left: 4px solid var(--mark); padding: .6rem 1rem .6rem 2rem; }
.cards { display: flex; flex-wrap: wrap; gap: .75rem; }
.cards div { flex: 1 1 9rem; border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; display: grid; }
.cards b { font-size: 1.4rem; } .cards span, .cards small { color: var(--soft); }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 400; color: var(--soft); }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem .25rem 0; vertical-align: top; } td, thead th:last-child { text-align: right; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; } svg text { font: 11px system-ui, "DejaVu Sans", sans-serif; fill: var(--soft); }
svg .bar { fill: var(--bar); } svg .line { stroke: var(--line); } svg .mark { stroke: var(--mark); stroke-dasharray: 3 3; } svg .name { fill: var(--mark); }
@media print { main { margin: 0; } }
`;
