/** The styles of the API reference, beyond those of the dashboard, whose colours and sizes it uses. */
export const styleSheet: string = `html { scroll-behavior: smooth; scroll-padding-top: var(--s4); }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
.reference { max-width: 60rem; margin: 0 auto; padding: var(--s7) var(--s4); }
.reference > h2 { margin: var(--s7) 0 var(--s4); }
h4 { font-size: 12px; font-weight: 600; color: var(--quiet); margin: var(--s4) 0 var(--s1); }
.sheet { margin-bottom: var(--s4); }
.sheet > p { margin-top: var(--s1); }
.endpoint { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--s1) var(--s3); }
.path { font-family: var(--mono); font-size: 14px; overflow-wrap: anywhere; }
.method { font: 700 12px/1 var(--mono); min-width: 3.6rem; }
.get { color: var(--allow); } .post { color: var(--focus); } .patch { color: var(--wait); } .delete { color: var(--deny); }
.door { margin-left: auto; color: var(--quiet); font-size: 13px; }
.contents { columns: 20rem; column-gap: var(--s6); list-style: none; margin-top: var(--s5); }
.contents li { break-inside: avoid; padding: 2px 0; display: flex; gap: var(--s2); align-items: baseline; }
.reference .contents a { margin: 0; padding: 0; background: none; color: var(--ink); overflow-wrap: anywhere; }
.contents a:hover { text-decoration: underline; }
.sheet .scroll { border: 0; border-radius: 0; background: none; margin-top: var(--s3); }
.sheet th, .sheet td { padding: 6px var(--s3) 6px 0; }
.sheet td:first-child { white-space: nowrap; width: 1%; max-width: none; }
.sheet td code { overflow-wrap: normal; }
.reference pre { overflow-x: auto; }
.sheet tbody tr:hover { background: none; }
td.type { min-width: 8rem; width: 22%; }
.must { color: var(--deny); font-size: 12px; margin-left: var(--s2); }
@media (max-width: 40rem) {
  .reference { padding-top: var(--s5); }
  .door { margin-left: 0; width: 100%; }
  .sheet .scroll table { min-width: 34rem; }
}
`;
