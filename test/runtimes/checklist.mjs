/** A list that grows by what holds; the first thing that does not is thrown. */
export function checklist() {
  const passed = [];
  return {
    passed,
    check(claim, holds) {
      if (holds !== true) throw new Error(`It does not hold: ${claim}`);
      passed.push(claim);
    },
  };
}

/** What runs this, as `node 24.21.0`. Bun and Deno say that they are Node too, so they are asked first. */
export function runtimeName() {
  const { Bun, Deno, process, navigator } = globalThis;
  if (Bun !== undefined) return `bun ${Bun.version}`;
  if (Deno !== undefined) return `deno ${Deno.version.deno}`;
  if (navigator?.userAgent === 'Cloudflare-Workers') return 'workers';
  return `node ${process.versions.node}`;
}
