import { type Signal, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';

const PAUSE_MS = 300;

/**
 * Returns a text from the address that a person can edit. The address changes after a pause in typing. The text changes
 * when the person follows a link.
 */
export function useQueryText(name: string): readonly [text: string, setText: (text: string) => void] {
  const given = route.value.query.get(name) ?? '';
  const [text, setText] = useState(given);
  const written = useRef(given);
  useEffect(() => {
    if (given !== written.current) setText(given);
    written.current = given;
  }, [given]);
  useEffect(() => {
    if (text.trim() === written.current) return;
    const timer = setTimeout(() => {
      written.current = text.trim();
      setQuery({ [name]: text.trim() });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

/** The current page: the part of the address after `#`. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export const route: Signal<Route> = signal(read());

addEventListener('hashchange', () => {
  route.value = read();
});

export function href(path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const text = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

export function go(path: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  location.hash = href(path, query);
}

export function goInstead(path: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  history.replaceState(null, '', href(path, query));
  route.value = read();
}

export function setQuery(changes: Readonly<Record<string, string>>): void {
  const { path, query } = route.value;
  goInstead(path, { ...Object.fromEntries(query), ...changes });
}

function read(): Route {
  // The address in the event of a request.
  const text = location.hash.replace(/^#\/?/, '').replace(/^approvals\/(\w+)$/, 'approvals?approval=$1');
  const [path = '', query = ''] = text.split('?', 2);
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
