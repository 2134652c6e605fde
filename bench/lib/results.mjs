/**
 * Reads and writes bench/results.json. It has the results of each part for each major version of Node, such as `node
 * 20`.
 */
import { isPublished, resultsInWords } from './published.mjs';
import { cellText, markdownTable } from './table.mjs';

/**
 * Merges the results of a run into the stored results. A part that did not run, or ran on another Node, stays
 * unchanged.
 */
export function mergeResults(kept, found, nodeVersion) {
  const name = nodeName(nodeVersion);
  const merged = { ...kept, [name]: { ...kept[name], ...found } };
  return Object.fromEntries(nodeNames(merged).map((each) => [each, merged[each]]));
}

/** Returns the versions of Node that have results, the lowest first. */
export function nodeNames(results) {
  const majorOf = (name) => Number(name.slice('node '.length));
  return Object.keys(results).toSorted((a, b) => majorOf(a) - majorOf(b));
}

/**
 * Returns the name of the major version for a version such as `v20.20.2`. Figures are compared only within a major
 * version.
 */
function nodeName(version) {
  return `node ${/\d+/.exec(version)[0]}`;
}

const SECTION = /(?<=<!-- targets -->\n)[\s\S]*(?=<!-- \/targets -->)/;

/** Returns the text of bench/README.md, with the targets inserted between its two comments. */
export function withTargets(markdown, results) {
  if (!SECTION.test(markdown))
    throw new Error('bench/README.md has no <!-- targets --> … <!-- /targets -->.');
  return markdown.replace(SECTION, () => `\n${resultsInWords(results)}\n\n${targetsText(results)}\n\n`);
}

/** Formats a figure, such as `2.30`. */
export function valueText({ value, unit }) {
  return cellText(value, unit);
}

/** Returns whether the bound is met, or why the run cannot decide; an empty text if the figure is enough. */
export function endText({ isMet, untold = '' }) {
  if (isMet === null) return untold;
  return isMet ? 'met' : 'MISSED';
}

/** Formats the bound of a target, such as `at most 1.25`. */
export function boundText({ atMost, atLeast, unit }) {
  return atMost === undefined ? `at least ${cellText(atLeast, unit)}` : `at most ${cellText(atMost, unit)}`;
}

/** Returns the selected targets as rows of a Markdown table, with a column for each measured version of Node. */
export function targetsText(results, isShown = isPublished) {
  const nodes = nodeNames(results);
  const all = withoutDropped(nodes.flatMap((node) => measuredOn(node, results[node])));
  const measured = all.filter(({ part, target }) => isShown(part, target.name));
  const counts = nodes.map((node) => {
    const ofNode = measured.filter((each) => each.node === node);
    const told = ofNode.filter(({ target, isDoubtful }) => target.isMet !== null && !isDoubtful);
    const untold = ofNode.length - told.length;
    const met = told.filter(({ target }) => target.isMet).length;
    return `${met} of ${told.length} on ${titleOf(node)}${untold === 0 ? '' : ` (${untold} undecided)`}`;
  });
  const names = [...new Set(measured.map(({ part, target }) => rowKey(part, target)))];
  const rows = names.map((name) => {
    const row = measured.filter(({ part, target }) => rowKey(part, target) === name);
    const cells = nodes.map((node) => figureText(row.find((each) => each.node === node)));
    return [row[0].part, row[0].target.name, boundsText(row), ...cells];
  });
  const table = markdownTable([['Part', 'Target', 'Bound', ...nodes.map(titleOf)], ...rows]);
  return `Met: ${counts.join(', ')}.\n\n${table}`;
}

function measuredOn(node, parts) {
  return Object.entries(parts).flatMap(([part, { date, doubts, targets }]) =>
    targets.map((target) => ({ node, part, target, date, isDoubtful: doubts.length > 0 })),
  );
}

/** Removes the targets that the newest run of their part no longer has. */
function withoutDropped(measured) {
  const newest = new Map();
  for (const { part, date } of measured) if (!(newest.get(part) > date)) newest.set(part, date);
  const kept = measured.filter(({ part, date }) => date === newest.get(part));
  const names = new Set(kept.map(({ part, target }) => rowKey(part, target)));
  return measured.filter(({ part, target }) => names.has(rowKey(part, target)));
}

function rowKey(part, target) {
  return `${part}: ${target.name}`;
}

/** Formats the bound. If the bounds differ between versions of Node, each is shown with its version. */
function boundsText(row) {
  const bounds = new Set(row.map(({ target }) => boundText(target)));
  if (bounds.size === 1) return [...bounds][0];
  return row.map(({ node, target }) => `${boundText(target)} on ${titleOf(node)}`).join(', ');
}

function figureText(measured) {
  if (measured === undefined) return '-';
  const { target, date, isDoubtful } = measured;
  // The figure of a busy machine says nothing.
  if (isDoubtful) return `busy machine, ${date.slice(0, 10)}`;
  const end = target.isMet === false ? '**not yet**' : endText(target);
  return `${`${valueText(target)} ${end}`.trimEnd()}, ${date.slice(0, 10)}`;
}

function titleOf(node) {
  return node.replace('node', 'Node');
}
