/** Hooks of module loading: one file has one line that is another one. */
let patch;

export function initialize(data) {
  patch = data;
}

export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (url !== patch.url) return loaded;
  return {
    ...loaded,
    source: Buffer.from(loaded.source)
      .toString()
      .replace(patch.line, () => patch.other),
  };
}
