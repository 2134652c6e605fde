/** Intents that a careless reader of a condition would allow, and some that must stay allowed, by name. */
import type { Confusion } from './confusions/confusion.ts';
import { MAIL } from './confusions/mail.ts';
import { PATHS } from './confusions/paths.ts';
import { SCALARS } from './confusions/scalars.ts';
import { SHAPES } from './confusions/shapes.ts';
import { URLS } from './confusions/urls.ts';

export type { Confusion } from './confusions/confusion.ts';

export const CONFUSIONS: readonly Confusion[] = [...MAIL, ...PATHS, ...URLS, ...SCALARS, ...SHAPES];
