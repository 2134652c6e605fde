import { useEffect, useRef, useState } from 'preact/hooks';
import { route, setQuery } from './route.ts';

/** The pause in typing after which the address changes. */
const PAUSE_MS = 300;

/**
 * Returns a text of the address while it is typed. The address changes after a pause; the text changes when a link is
 * followed.
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
