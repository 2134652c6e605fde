/** One way round for each circle, by the file that comes first. */
export function circlesIn(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  function walk(path: string, way: readonly string[]): void {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(' -> '));
    if (done.has(path) || way.includes(path)) return;
    for (const next of imports.get(path) ?? []) walk(next, [...way, path]);
    done.add(path);
  }
  for (const path of imports.keys()) walk(path, []);
  return found;
}
