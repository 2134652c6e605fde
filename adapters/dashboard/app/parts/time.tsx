import type { JSX } from 'preact';
import { agoText, dayText, exactText, timeText } from '../text/time.ts';

export function Time(props: { at: string; ago?: boolean; seconds?: boolean; isDay?: boolean }): JSX.Element {
  const { at, ago = false, seconds = false, isDay = false } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact instant has to be reached by keyboard.
    <time dateTime={at} tabIndex={0} data-exact={exactText(at)}>
      {ago ? agoText(at) : isDay ? dayText(at) : timeText(at, seconds)}
    </time>
  );
}
