/** The exports of `published.mjs`, as far as its tests use them. */

/** The published targets, by part. */
export declare const PUBLISHED: Readonly<Record<string, readonly string[]>>;
