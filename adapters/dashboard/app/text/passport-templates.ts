import type { PassportInput } from '../../../../src/index.ts';

export interface PassportTemplate {
  readonly job: string;
  readonly summary: string;
  readonly fields: Omit<PassportInput, 'domain' | 'agent_name'>;
}

/**
 * Templates for ten tasks. The page examples/limits/README.md shows each with intents, and a test evaluates these
 * intents.
 */
export const PASSPORT_TEMPLATES: readonly PassportTemplate[] = [
  {
    job: 'Support agent',
    summary: 'It reads tickets, and sends e-mail only to addresses of two domains.',
    fields: {
      allowed_actions: ['tickets.read', 'email.send'],
      monetary_limit_per_txn: 0,
      conditions: [
        { actions: ['email.send'], at: '/to', email_in: ['@customer.example', '@partner.example'] },
        { actions: ['email.send'], at: '', only: ['to', 'subject', 'body'] },
      ],
    },
  },
  {
    job: 'Shopping agent',
    summary: 'It orders up to five pieces from two shops, for at most 80 EUR each time and 200 EUR per week.',
    fields: {
      allowed_actions: ['orders.create'],
      monetary_actions: ['orders.create'],
      monetary_limit_per_txn: 80,
      currency: 'EUR',
      budgets: [{ window: 'week', limit: 200 }],
      conditions: [
        { at: '/shop', in: ['books.example', 'paper.example'] },
        { at: '/quantity', min: 1, max: 5 },
        { at: '', only: ['shop', 'article', 'quantity', 'amount', 'currency'] },
      ],
    },
  },
  {
    job: 'Deploy agent',
    summary: 'It deploys two services to staging, and only from a release branch.',
    fields: {
      allowed_actions: ['deploy.start', 'deploy.status'],
      monetary_limit_per_txn: 0,
      conditions: [
        { at: '/service', in: ['shop', 'search'] },
        { actions: ['deploy.start'], at: '/environment', in: ['staging'] },
        { actions: ['deploy.start'], at: '/branch', prefix: ['release/'] },
        { at: '', only: ['service', 'environment', 'branch'] },
      ],
    },
  },
  {
    job: 'Coding agent',
    summary: 'It reads all files of the project, writes files in two folders, and runs three commands.',
    fields: {
      allowed_actions: ['files.read', 'files.write', 'shell.run'],
      monetary_limit_per_txn: 0,
      conditions: [
        { actions: ['files.read'], at: '/path', path_under: ['.'] },
        { actions: ['files.write'], at: '/path', path_under: ['src', 'test'] },
        { actions: ['shell.run'], at: '/command', in: ['npm test', 'npm run lint', 'git status'] },
        { actions: ['shell.run'], at: '', only: ['command'] },
      ],
    },
  },
  {
    job: 'Data analyst',
    summary: 'It reads up to 1,000 rows of three tables, and cannot send its own SQL.',
    fields: {
      allowed_actions: ['sql.select'],
      monetary_limit_per_txn: 0,
      conditions: [
        { at: '/table', in: ['sales', 'stock', 'returns'] },
        { at: '/columns', in: ['day', 'product', 'pieces', 'total'] },
        { at: '/limit', min: 1, max: 1000 },
        { at: '', only: ['table', 'columns', 'limit'] },
      ],
    },
  },
  {
    job: 'Chat agent',
    summary: 'It posts plain text to two channels, and mentions at most three people.',
    fields: {
      allowed_actions: ['chat.post'],
      monetary_limit_per_txn: 0,
      conditions: [
        { at: '/channel', in: ['support', 'status'] },
        { at: '/text', present: true },
        { at: '/mentions', optional: true, not_in: ['everyone', 'channel', 'here'] },
        { at: '/mentions', optional: true, max_items: 3 },
        { at: '', only: ['channel', 'text', 'mentions'] },
      ],
    },
  },
  {
    job: 'Calendar agent',
    summary: 'It invites people of one domain to meetings of 15 to 60 minutes.',
    fields: {
      allowed_actions: ['events.create', 'events.list'],
      monetary_limit_per_txn: 0,
      conditions: [
        { actions: ['events.create'], at: '/attendees/*/email', email_in: ['@company.example'] },
        { actions: ['events.create'], at: '/attendees', max_items: 10 },
        { actions: ['events.create'], at: '/minutes', min: 15, max: 60 },
        { actions: ['events.create'], at: '', only: ['title', 'start', 'minutes', 'attendees'] },
      ],
    },
  },
  {
    job: 'Research agent',
    summary: 'It fetches pages of three sites, and cannot set headers.',
    fields: {
      allowed_actions: ['web.fetch'],
      monetary_limit_per_txn: 0,
      conditions: [
        {
          at: '/url',
          url_under: ['https://docs.example.com', 'https://example.org/papers', 'https://*.news.example'],
        },
        { at: '/method', optional: true, in: ['GET', 'HEAD'] },
        { at: '', only: ['url', 'method'] },
      ],
    },
  },
  {
    job: 'File clerk',
    summary: 'It reads and moves files in one folder, and writes only CSV and text files.',
    fields: {
      allowed_actions: ['files.read', 'files.move', 'files.write'],
      monetary_limit_per_txn: 0,
      conditions: [
        { at: '/path', path_under: ['/srv/clerk'] },
        { actions: ['files.move'], at: '/to', path_under: ['/srv/clerk'] },
        { actions: ['files.write'], at: '/path', suffix: ['.csv', '.txt'] },
      ],
    },
  },
  {
    job: 'Invoice agent',
    summary: 'It pays invoices of two suppliers, up to 500 EUR each. Above 200 EUR, a person must approve.',
    fields: {
      allowed_actions: ['invoices.pay'],
      monetary_actions: ['invoices.pay'],
      monetary_limit_per_txn: 500,
      currency: 'EUR',
      approval: { above: 200 },
      conditions: [
        { at: '/account', in: ['DE89370400440532013000', 'FR1420041010050500013M02606'] },
        { at: '/amount', min: '0.01' },
        { at: '/invoice', prefix: ['INV-'] },
        { at: '', only: ['account', 'amount', 'currency', 'invoice'] },
      ],
    },
  },
];
