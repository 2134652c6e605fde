/**
 * The settings pages and the members pages. They form a separate script, which is loaded when one of the pages is
 * opened.
 */
export { SettingsPage } from '../settings/settings-page.tsx';
export { AuditPage } from './audit-page.tsx';
export { JoinPage } from './join-page.tsx';
export { MembersPage } from './members-page.tsx';
