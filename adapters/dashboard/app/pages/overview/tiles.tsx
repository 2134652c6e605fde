import type { ComponentChildren, JSX } from 'preact';

/** Lays out tiles side by side. */
export function Tiles({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <ul class="tiles" aria-label={name}>
      {children}
    </ul>
  );
}

/** Shows a number with its name, and a link to the counted records, if given. */
export function Tile(props: {
  name: ComponentChildren;
  value: string;
  note?: string;
  link?: string;
}): JSX.Element {
  const { name, value, note, link } = props;
  return (
    <li class="tile">
      <span>{link === undefined ? name : <a href={link}>{name}</a>}</span>
      <strong>{value}</strong>
      {note !== undefined && <span class="hint">{note}</span>}
    </li>
  );
}
