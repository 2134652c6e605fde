/** Colours follow the system; every text has a contrast of at least 4.5 to 1 in both schemes. */
export const styleSheet: string = `:root {
  color-scheme: light dark;
  --ground: #fbfbf9; --sheet: #ffffff; --line: #e2e2dc; --ink: #1b1d1f; --quiet: #5b6068;
  --accent: #0b5fa5; --code: #f1f2ee;
  --get: #1f6b3a; --post: #0b5fa5; --patch: #85520a; --delete: #a3262a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131517; --sheet: #1b1e21; --line: #31363b; --ink: #e9eaeb; --quiet: #a2a9b1;
    --accent: #7cbcf2; --code: #24282c;
    --get: #7fd09a; --post: #7cbcf2; --patch: #e3b66c; --delete: #f09393;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; letter-spacing: -.01em; margin: 3rem 0 1rem; }
h3 { font-size: 1rem; margin: 0; }
h4 { font-size: .8rem; color: var(--quiet); font-weight: 600; margin: 1.1rem 0 .35rem; }
p { margin: .5rem 0; }
code, pre, .path { font-family: ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; font-size: .875em; }
code { background: var(--code); padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: var(--code); padding: 1rem; border-radius: 8px; overflow-x: auto; line-height: 1.5; margin: .75rem 0; }
pre code { background: none; padding: 0; font-size: 1em; overflow-wrap: normal; }
.kicker { color: var(--quiet); margin: 0 0 .25rem; }
.lead p { max-width: 42rem; }
td code { overflow-wrap: normal; }
.allow { color: var(--get); } .deny { color: var(--delete); }
.quiet { color: var(--quiet); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; margin: 1.5rem 0 0; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.steps { padding-left: 1.4rem; margin: 0; }
.steps li { margin: .6rem 0; padding-left: .3rem; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem 1.25rem; margin: 0 0 1rem; }
.sheet > p { margin: .35rem 0 0; }
.endpoint { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; }
.path { font-weight: 600; font-size: 1rem; overflow-wrap: anywhere; }
.method { font: 700 .75rem/1 ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; letter-spacing: .04em; min-width: 3.4rem; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.door { margin-left: auto; color: var(--quiet); font-size: .85rem; }
.contents { columns: 20rem; column-gap: 2.5rem; list-style: none; padding: 0; margin: 1.25rem 0 0; font-size: .925rem; }
.contents li { break-inside: avoid; padding: .12rem 0; display: flex; gap: .5rem; align-items: baseline; }
.contents .method { min-width: 3.6rem; font-size: .68rem; }
.contents a { text-decoration: none; overflow-wrap: anywhere; }
.contents a:hover { text-decoration: underline; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { text-align: left; font-size: .75rem; font-weight: 600; color: var(--quiet); padding: .25rem .75rem .25rem 0; }
td { border-top: 1px solid var(--line); padding: .4rem .75rem .4rem 0; vertical-align: top; }
td:first-child { white-space: nowrap; width: 1%; }
td:last-child, th:last-child { padding-right: 0; }
td.type { min-width: 8rem; width: 22%; }
.must { color: var(--delete); font-size: .75rem; margin-left: .4rem; }
@media (max-width: 40rem) {
  main { padding-top: 1.75rem; }
  .door { margin-left: 0; width: 100%; }
  .scroll table { min-width: 34rem; }
}
`;
