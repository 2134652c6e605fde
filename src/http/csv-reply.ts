/** Replies in CSV (RFC 4180). */
import type { Reply } from './endpoint.ts';

export function csvReply(name: string, text: AsyncIterable<string>, bom: string | undefined): Reply {
  return {
    body: bom === 'true' ? marked(text) : text,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
  };
}

async function* marked(text: AsyncIterable<string>): AsyncIterable<string> {
  yield '\ufeff';
  yield* text;
}

/** Returns `true` if the client asks for CSV by name with a weight above 0. `*` gets JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  const isCsv = (range: string): boolean => /^[ \t]*text\/csv[ \t]*(;|$)/i.test(range);
  const isRefused = (range: string): boolean => /;[ \t]*q=0(\.0{0,3})?[ \t]*$/i.test(range);
  return (accept ?? '').split(',').some((range) => isCsv(range) && !isRefused(range));
}
