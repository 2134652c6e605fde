import { isMeasurable } from './table.mjs';

/**
 * Creates a figure with its bound. `untold` says why the run cannot decide. Such a figure, or a figure that cannot be
 * measured, has `isMet: null`.
 */
export function target(name, value, { atMost, atLeast, unit = 'x', untold }) {
  const isWithin = atMost === undefined ? value >= atLeast : value <= atMost;
  const isMet = untold === undefined && isMeasurable(value, unit) ? isWithin : null;
  return { name, value, unit, ...(atMost === undefined ? { atLeast } : { atMost }), untold, isMet };
}

/** Returns the bound for this version of Node. `bounds` has the lowest major version for each bound. */
export function onNode(bounds) {
  const major = Number(process.versions.node.split('.')[0]);
  return bounds[
    Math.max(
      ...Object.keys(bounds)
        .map(Number)
        .filter((from) => from <= major),
    )
  ];
}
