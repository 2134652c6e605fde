/** Returns the value below which the share `q` of the values lies. */
export function quantile(values, q) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.round(q * (sorted.length - 1))];
}

export function median(values) {
  return quantile(values, 0.5);
}

/** Divides values one by one. `a` and `b` of the same round were measured under the same conditions. */
export function ratios(a, b) {
  return a.map((value, index) => value / b[index]);
}

export function range(values) {
  return [quantile(values, 0), quantile(values, 1)];
}
