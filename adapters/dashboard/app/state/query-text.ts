import { useEffect, useRef, useState } from 'preact/hooks';
import { route, setQuery } from './route.ts';

/** A person goes on typing. */
const PAUSE_MS = 300;

/** A text of the address as it is typed: the address follows it after a pause, and it follows a link. */
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
