/** The settings and the pages of people, their own script: it is loaded when one of them is opened. */
export { SettingsPage } from '../settings/settings-page.tsx';
export { AuditPage } from './audit-page.tsx';
export { JoinPage } from './join-page.tsx';
export { MembersPage } from './members-page.tsx';
