/** Texts that look like secrets. They are put together here, so that no scanner finds one in this repository. */
export const GIVEN_KEY: string = ['ais', 'live', 'zq7marker0123456789abcdef'].join('_');
export const GIVEN_WEBHOOK: string = ['whsec', 'zq7marker0123456789'].join('_');
export const GIVEN_PEM: string = ['-----BEGIN EC', 'PRIVATE KEY-----zq7marker'].join(' ');
