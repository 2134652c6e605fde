const DAY_MS = 86_400_000;

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dayInUtc = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const seconds = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
});
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const near = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

export function timeText(instant: string, withSeconds = false): string {
  return (withSeconds ? seconds : whole).format(new Date(instant));
}

/** Formats the date of a day that begins at this instant in UTC. */
export function dayText(instant: string): string {
  return dayInUtc.format(new Date(instant));
}

export function agoText(instant: string, now: number = Date.now()): string {
  const ms = Date.parse(instant) - now;
  const size = Math.abs(ms);
  if (size < 60_000) return near.format(0, 'minute').replace(/^this minute$/, 'just now');
  if (size < 3_600_000) return near.format(Math.trunc(ms / 60_000), 'minute');
  if (size < DAY_MS) return near.format(Math.trunc(ms / 3_600_000), 'hour');
  if (size < 7 * DAY_MS) return near.format(Math.trunc(ms / DAY_MS), 'day');
  return day.format(new Date(instant));
}

export function exactText(instant: string): string {
  return `${exact.format(new Date(instant))}\n${instant}`;
}

/**
 * Converts the value of an `<input type="datetime-local">`, a local time, to an instant in UTC; `undefined` if the
 * value is empty.
 */
export function fromInput(value: string): string | undefined {
  return value === '' ? undefined : new Date(value).toISOString();
}

/** Formats an instant in local time for an `<input type="datetime-local">`. Seconds that are not 0 are kept. */
export function toInput(instant: string | null | undefined): string {
  if (!instant) return '';
  const at = new Date(instant);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, at.getMilliseconds() > 0 ? 23 : at.getSeconds() > 0 ? 19 : 16);
}
