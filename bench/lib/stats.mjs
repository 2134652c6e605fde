/** The value below which the share `q` of the values lies. */
export function quantile(values, q) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.round(q * (sorted.length - 1))];
}

/** The middle of the values. */
export function median(values) {
  return quantile(values, 0.5);
}

/** Values divided one by one: `a` and `b` of the same round have seen the same machine. */
export function ratios(a, b) {
  return a.map((value, index) => value / b[index]);
}

/** The lowest and the highest. */
export function range(values) {
  return [quantile(values, 0), quantile(values, 1)];
}
