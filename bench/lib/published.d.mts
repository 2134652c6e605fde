/** What `published.mjs` gives, as far as its tests use it. */

/** The published targets, by part. */
export declare const PUBLISHED: Readonly<Record<string, readonly string[]>>;
