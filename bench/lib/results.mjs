/** What bench/results.json holds: for each major version of Node, as `node 20`, what was found of each part. */

/** The results with those of a run in their place: what did not run, or ran on another Node, keeps what it had. */
export function mergeResults(kept, found, nodeVersion) {
  const name = nodeName(nodeVersion);
  const merged = { ...kept, [name]: { ...kept[name], ...found } };
  return Object.fromEntries(nodeNames(merged).map((each) => [each, merged[each]]));
}

/** The versions of Node that there are results of, the lowest first. */
export function nodeNames(results) {
  const majorOf = (name) => Number(name.slice('node '.length));
  return Object.keys(results).toSorted((a, b) => majorOf(a) - majorOf(b));
}

/** The name of a version such as `v20.20.2`: its figures are held against those of the same major only. */
function nodeName(version) {
  return `node ${/\d+/.exec(version)[0]}`;
}
