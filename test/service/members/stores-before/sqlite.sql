PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE ais_accounts (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"email" text not null,
"plan" text not null,
"password_hash" text not null,
"token_version" integer not null,
"disabled_at" text,
"created_by" text,
"changed_at" text,
"changed_by" text,
"erased_at" text,
primary key (id)
) strict;
INSERT INTO ais_accounts VALUES('acc_3SnSDyuXREJmPMhoNqT3vg','acc_3SnSDyuXREJmPMhoNqT3vg',1795775567775,'2026-11-27T10:32:47.775Z','ann@example.com','starter','$scrypt$ln=17,r=8,p=1$eM6LORC+nvmo5pT5WArvIg$zY9Ifr5DHFFmmTVIBotfGyqYRf2/gDpkLFw7aIG9t7g',1795775567775,NULL,'operator',NULL,NULL,NULL);
CREATE TABLE ais_sessions (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"token_version" integer not null,
"expires_at" text not null,
"revoked_at" text,
primary key (id)
) strict;
INSERT INTO ais_sessions VALUES('ses_sTT4bT20tJh4H36UxPafJN','acc_3SnSDyuXREJmPMhoNqT3vg',1,'2026-11-27T10:32:48.428Z',1795775567775,'2026-11-27T11:32:48.428Z',NULL);
CREATE TABLE ais_api_keys (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"name" text not null,
"start" text not null,
"digest" text not null,
"environment" text not null,
"scopes" text not null,
"agent_ids" text,
"status" text not null,
"expires_at" text,
"last_used_at" text,
"revoked_at" text,
"rotated_to" text,
"created_by" text,
"changed_at" text,
"changed_by" text,
"revoked_by" text,
primary key (id)
) strict;
INSERT INTO ais_api_keys VALUES('key_5U424uX2k5WGmwNoMxWN1m','acc_3SnSDyuXREJmPMhoNqT3vg',2,'2026-11-27T10:32:48.456Z','till','ais_live_LwZV','b4379ca1057f266424496421ca7c74ba750a52c0340a9c5f7d1a1b6403edbbbc','live','["verify","revoke"]',NULL,'active',NULL,'2026-11-27T10:32:00.000Z',NULL,NULL,'acc_3SnSDyuXREJmPMhoNqT3vg',NULL,NULL,NULL);
CREATE TABLE ais_passports (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"updated_at" text not null,
"domain" text not null,
"agent_name" text not null,
"allowed_actions" text not null,
"monetary_limit_per_txn" text not null,
"denied_actions" text,
"currency" text,
"allowed_targets" text,
"monetary_actions" text,
"budgets" text,
"approval" text,
"not_before" text,
"expires_at" text,
"proof" text,
"description" text,
"public_keys" text,
"metadata" text,
"parent_agent_id" text,
"status" text not null,
"suspended_until" text,
"suspended_by" text,
"suspension_reason" text,
"revoked_at" text,
"revoked_by" text,
"revocation_reason" text,
primary key (id)
) strict;
INSERT INTO ais_passports VALUES('did:web:shop.example:agents:buyer','acc_3SnSDyuXREJmPMhoNqT3vg',2,'2026-11-27T10:32:48.476Z','2026-11-27T10:32:48.483Z','shop.example','buyer','["orders.get"]','10',NULL,NULL,NULL,NULL,NULL,'{"actions":["orders.get"],"seconds":604800}',NULL,NULL,NULL,'buys paper',NULL,NULL,NULL,'active',NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ais_passport_versions (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"agent_id" text not null,
"changed_by" text not null,
"changed_at" text not null,
"passport" text not null,
primary key (id)
) strict;
INSERT INTO ais_passport_versions VALUES('did:web:shop.example:agents:buyer@0000000001','acc_3SnSDyuXREJmPMhoNqT3vg',1,'2026-11-27T10:32:48.476Z','did:web:shop.example:agents:buyer','acc_3SnSDyuXREJmPMhoNqT3vg','2026-11-27T10:32:48.476Z','{"id":"did:web:shop.example:agents:buyer","account_id":"acc_3SnSDyuXREJmPMhoNqT3vg","version":1,"created_at":"2026-11-27T10:32:48.476Z","updated_at":"2026-11-27T10:32:48.476Z","domain":"shop.example","agent_name":"buyer","allowed_actions":["orders.get"],"monetary_limit_per_txn":"10","approval":{"actions":["orders.get"],"seconds":604800},"status":"active","suspended_until":null,"suspended_by":null,"suspension_reason":null,"revoked_at":null,"revoked_by":null,"revocation_reason":null}');
INSERT INTO ais_passport_versions VALUES('did:web:shop.example:agents:buyer@0000000002','acc_3SnSDyuXREJmPMhoNqT3vg',1,'2026-11-27T10:32:48.483Z','did:web:shop.example:agents:buyer','acc_3SnSDyuXREJmPMhoNqT3vg','2026-11-27T10:32:48.483Z','{"id":"did:web:shop.example:agents:buyer","account_id":"acc_3SnSDyuXREJmPMhoNqT3vg","version":2,"created_at":"2026-11-27T10:32:48.476Z","updated_at":"2026-11-27T10:32:48.483Z","status":"active","suspended_until":null,"suspended_by":null,"suspension_reason":null,"revoked_at":null,"revoked_by":null,"revocation_reason":null,"domain":"shop.example","agent_name":"buyer","allowed_actions":["orders.get"],"monetary_limit_per_txn":"10","approval":{"actions":["orders.get"],"seconds":604800},"description":"buys paper"}');
CREATE TABLE ais_domains (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"changed_at" text,
"changed_by" text,
"status" text,
"token" text,
"token_expires_at" text,
"method" text,
"proven_at" text,
"checked_at" text,
"seen_at" text,
"failures" integer,
primary key (id)
) strict;
INSERT INTO ais_domains VALUES('shop.example','acc_3SnSDyuXREJmPMhoNqT3vg',1,'2026-11-27T10:32:48.476Z',NULL,NULL,'claimed',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ais_events (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"type" text not null,
"expires_at" text not null,
"data" text not null,
primary key (id)
) strict;
INSERT INTO ais_events VALUES('0VcAVHDscpdz2cqqn00000000.acc_3SnSDyuXREJmPMhoNqT3vg','acc_3SnSDyuXREJmPMhoNqT3vg',1,'2026-11-27T10:32:48.456Z','key.created','2026-12-04T10:32:48.456Z','{"id":"key_5U424uX2k5WGmwNoMxWN1m","start":"ais_live_LwZV","status":"active","last_used_at":null,"revoked_at":null,"rotated_to":null,"changed_at":null,"changed_by":"acc_3SnSDyuXREJmPMhoNqT3vg","revoked_by":null,"name":"till","environment":"live","scopes":["verify","revoke"],"agent_ids":null,"created_at":"2026-11-27T10:32:48.456Z","expires_at":null,"created_by":"acc_3SnSDyuXREJmPMhoNqT3vg"}');
INSERT INTO ais_events VALUES('0VcAVHEDcpdz2cqqn00000001.acc_3SnSDyuXREJmPMhoNqT3vg','acc_3SnSDyuXREJmPMhoNqT3vg',1,'2026-11-27T10:32:48.477Z','domain.claimed','2026-12-04T10:32:48.477Z','{"domain":"shop.example","changed_by":"acc_3SnSDyuXREJmPMhoNqT3vg"}');
INSERT INTO ais_events VALUES('0VcAVHEDcpdz2cqqn00000002.acc_3SnSDyuXREJmPMhoNqT3vg','acc_3SnSDyuXREJmPMhoNqT3vg',1,'2026-11-27T10:32:48.477Z','passport.created','2026-12-04T10:32:48.477Z','{"agent_id":"did:web:shop.example:agents:buyer","version":1,"changed_by":"acc_3SnSDyuXREJmPMhoNqT3vg"}');
INSERT INTO ais_events VALUES('0VcAVHENcpdz2cqqn00000003.acc_3SnSDyuXREJmPMhoNqT3vg','acc_3SnSDyuXREJmPMhoNqT3vg',1,'2026-11-27T10:32:48.487Z','passport.updated','2026-12-04T10:32:48.487Z','{"agent_id":"did:web:shop.example:agents:buyer","version":2,"changed_by":"acc_3SnSDyuXREJmPMhoNqT3vg","change":"equal"}');
INSERT INTO ais_events VALUES('0VcAVHEncpdz2cqqn00000004.acc_3SnSDyuXREJmPMhoNqT3vg','acc_3SnSDyuXREJmPMhoNqT3vg',1,'2026-11-27T10:32:48.513Z','approval.requested','2026-12-04T10:32:48.513Z','{"id":"apr_1SfSPGyZHIOIXaXTybStwz","status":"pending","agent_id":"did:web:shop.example:agents:buyer","environment":"live","created_at":"2026-11-27T10:32:48.512Z","expires_at":"2026-12-04T10:32:48.512Z","decided_by":null,"decided_at":null,"note":null,"decision_id":null,"changed_by":"key_5U424uX2k5WGmwNoMxWN1m"}');
CREATE TABLE ais_signing_keys (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"kid" text not null,
"purpose" text not null,
"alg" text not null,
"public_jwk" text not null,
"sealed" text not null,
"not_before" text not null,
"retire_at" text,
"revoked_at" text,
primary key (id)
) strict;
CREATE TABLE ais_status_slots (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"list_id" text not null,
"status_index" integer,
"agent_id" text,
primary key (id)
) strict;
CREATE TABLE ais_spends (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"agent_id" text not null,
"root_agent_id" text,
"environment" text not null,
"status" text not null,
"amount" text,
"released_amount" text,
"committed_amount" text,
"committed_whole" integer not null,
"currency" text,
"decimals" integer not null,
"held_until" text,
"due_at" text,
"updated_at" text not null,
"expires_at" text,
"takings" text not null,
primary key (id)
) strict;
CREATE TABLE ais_webhooks (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"url" text not null,
"types" text not null,
"description" text,
"status" text not null,
"disabled_reason" text,
"created_by" text not null,
"updated_at" text not null,
"last_success_at" text,
"last_failure_at" text,
"failures_in_a_row" integer not null,
"sealed" text not null,
"previous_sealed" text,
"previous_until" text,
"read_from" text not null,
primary key (id)
) strict;
CREATE TABLE ais_webhook_deliveries (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"webhook_id" text not null,
"event_id" text not null,
"event_type" text not null,
"status" text not null,
"attempt" integer not null,
"http_status" integer,
"duration_ms" integer,
"attempted_at" text,
"due_at" text,
"is_leased" integer not null,
"payload" text not null,
"expires_at" text not null,
primary key (id)
) strict;
CREATE TABLE ais_approvals (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"agent_id" text not null,
"environment" text not null,
"digest" text not null,
"round" integer not null,
"status" text not null,
"intent" text not null,
"reasons" text not null,
"expires_at" text not null,
"due_at" text,
"decided_by" text,
"decided_at" text,
"note" text,
"decision_id" text,
primary key (id)
) strict;
INSERT INTO ais_approvals VALUES('apr_1SfSPGyZHIOIXaXTybStwz','acc_3SnSDyuXREJmPMhoNqT3vg',1,'2026-11-27T10:32:48.512Z','did:web:shop.example:agents:buyer','live','a5ce18e339983150862d2355c1b8df8d116ede43285f43ed9ed8deca9f6c9623',0,'pending','{"agent_id":"did:web:shop.example:agents:buyer","action":"orders.get"}','[{"code":"approval_required","message":"A person must approve the intent.","agent_id":"did:web:shop.example:agents:buyer","action":"orders.get"}]','2026-12-04T10:32:48.512Z','2026-12-04T10:32:48.512Z',NULL,NULL,NULL,NULL);
CREATE TABLE ais_erasures (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"agent_id" text,
"swept_at" text,
"leased_until" text not null,
primary key (id)
) strict;
CREATE TABLE ais_idempotency (
"id" text not null,
"account_id" text not null,
"version" integer not null,
"created_at" text not null,
"expires_at" text not null,
"request_digest" text not null,
"object_id" text not null,
"response" text not null,
primary key (id)
) strict;
CREATE TABLE ais_meta (
name text not null primary key,
value text not null
) strict;
INSERT INTO ais_meta VALUES('marker','b770418f-0ba4-4325-a2bc-9443bd0ed231');
INSERT INTO ais_meta VALUES('tables_version','3');
INSERT INTO ais_meta VALUES('oldest_usable','1');
INSERT INTO ais_meta VALUES('shared session_secret','N2uHbixFRc1tIH9vbIPGew.cjspDDQsvv1RV+d6fCNO6A');
INSERT INTO ais_meta VALUES('clock_mark','2026-11-27T10:32:48.504Z');
CREATE TABLE ais_counters (
id text not null primary key,
value integer not null,
expires_at text
) strict;
INSERT INTO ais_counters VALUES('usage:keys:acc_3SnSDyuXREJmPMhoNqT3vg',1,NULL);
INSERT INTO ais_counters VALUES('usage:passports:acc_3SnSDyuXREJmPMhoNqT3vg',1,NULL);
INSERT INTO ais_counters VALUES('approvals:live:did:web:shop.example:agents:buyer',1,NULL);
CREATE TABLE ais_rollups (
"resolution" text not null,
"start" text not null,
"account_id" text not null,
"environment" text not null,
"agent_id" text not null,
"kind" text not null,
"key" text not null,
"count" integer not null,
check (count between -9007199254740991 and 9007199254740991),
primary key (resolution, start, account_id, environment, agent_id, kind, key)
) strict, without rowid;
INSERT INTO ais_rollups VALUES('day','2026-11-27T00:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','action','orders.get',1);
INSERT INTO ais_rollups VALUES('day','2026-11-27T00:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','agent','did:web:shop.example:agents:buyer',1);
INSERT INTO ais_rollups VALUES('day','2026-11-27T00:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','latency','18432',1);
INSERT INTO ais_rollups VALUES('day','2026-11-27T00:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','reason','approval_required',1);
INSERT INTO ais_rollups VALUES('day','2026-11-27T00:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','verdict','DENY',1);
INSERT INTO ais_rollups VALUES('day','2026-11-27T00:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','action','orders.get',1);
INSERT INTO ais_rollups VALUES('day','2026-11-27T00:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','latency','23170',1);
INSERT INTO ais_rollups VALUES('day','2026-11-27T00:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','reason','approval_required',1);
INSERT INTO ais_rollups VALUES('day','2026-11-27T00:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','verdict','DENY',1);
INSERT INTO ais_rollups VALUES('hour','2026-11-27T10:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','action','orders.get',1);
INSERT INTO ais_rollups VALUES('hour','2026-11-27T10:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','agent','did:web:shop.example:agents:buyer',1);
INSERT INTO ais_rollups VALUES('hour','2026-11-27T10:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','latency','18432',1);
INSERT INTO ais_rollups VALUES('hour','2026-11-27T10:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','reason','approval_required',1);
INSERT INTO ais_rollups VALUES('hour','2026-11-27T10:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','verdict','DENY',1);
INSERT INTO ais_rollups VALUES('hour','2026-11-27T10:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','action','orders.get',1);
INSERT INTO ais_rollups VALUES('hour','2026-11-27T10:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','latency','23170',1);
INSERT INTO ais_rollups VALUES('hour','2026-11-27T10:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','reason','approval_required',1);
INSERT INTO ais_rollups VALUES('hour','2026-11-27T10:00:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','verdict','DENY',1);
INSERT INTO ais_rollups VALUES('minute','2026-11-27T10:32:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','action','orders.get',1);
INSERT INTO ais_rollups VALUES('minute','2026-11-27T10:32:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','agent','did:web:shop.example:agents:buyer',1);
INSERT INTO ais_rollups VALUES('minute','2026-11-27T10:32:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','latency','18432',1);
INSERT INTO ais_rollups VALUES('minute','2026-11-27T10:32:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','reason','approval_required',1);
INSERT INTO ais_rollups VALUES('minute','2026-11-27T10:32:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','','verdict','DENY',1);
INSERT INTO ais_rollups VALUES('minute','2026-11-27T10:32:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','action','orders.get',1);
INSERT INTO ais_rollups VALUES('minute','2026-11-27T10:32:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','latency','23170',1);
INSERT INTO ais_rollups VALUES('minute','2026-11-27T10:32:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','reason','approval_required',1);
INSERT INTO ais_rollups VALUES('minute','2026-11-27T10:32:00.000Z','acc_3SnSDyuXREJmPMhoNqT3vg','live','did:web:shop.example:agents:buyer','verdict','DENY',1);
CREATE TABLE ais_journal_blocks (
writer text not null,
seq integer not null,
account_id text not null,
from_ms integer not null,
to_ms integer not null,
records integer not null,
denied integer not null,
flags integer not null,
filter blob not null,
data blob not null, erased integer not null default 0, erasable blob,
primary key (writer, seq, account_id)
) strict;
INSERT INTO ais_journal_blocks VALUES('Qu5pCreiBbPXXyjpN5',1,'acc_3SnSDyuXREJmPMhoNqT3vg',1795775568497,1795775568497,1,1,1,X'0000002000000000000010880004200000000000000000100000000000000004',X'010d011e0202030204010523060c07020832095c0a370b020c01140101f1b4c2e4a134166465635f63636b736d6c556c7462774d3964696a3164000100016101216469643a7765623a73686f702e6578616d706c653a6167656e74733a6275796572010a6f72646572732e676574010001305b226c697665222c66616c73652c6e756c6c2c226b65795f35553432347558326b3557476d774e6f4d78574e316d225d02025b5d565b5b22617070726f76616c5f7265717569726564222c224120706572736f6e206d75737420617070726f76652074686520696e74656e742e222c22617070726f76616c5f6964222c22657870697265735f6174225d5d01021a6170725f315366535047795a48494f495861585479625374777a18323032362d31322d30345431303a33323a34382e3531325a0406000300005bdebe24',0,NULL);
CREATE TABLE ais_journal_writers (
"id" text not null,
"flushed" integer not null,
"merged" integer not null,
"seen_at" text not null,
primary key (id)
) strict, without rowid;
INSERT INTO ais_journal_writers VALUES('Qu5pCreiBbPXXyjpN5',1,1,'2026-11-27T10:32:48.538Z');
CREATE TABLE ais_journal_deltas (
id text not null primary key,
from_key text not null,
to_key text not null,
deltas text not null
) strict;
CREATE INDEX ais_accounts_by_created_at_id on ais_accounts (created_at, id);
CREATE INDEX ais_sessions_by_account_id_created_at_id on ais_sessions (account_id, created_at, id);
CREATE INDEX ais_sessions_by_expires_at on ais_sessions (expires_at);
CREATE INDEX ais_api_keys_by_account_id_created_at_id on ais_api_keys (account_id, created_at, id);
CREATE INDEX ais_api_keys_by_expiry on ais_api_keys (account_id, status, expires_at, id) where expires_at is not null;
CREATE INDEX ais_passports_by_account_id_created_at_id on ais_passports (account_id, created_at, id);
CREATE INDEX ais_passports_by_account_id_domain_created_at_id on ais_passports (account_id, domain, created_at, id);
CREATE INDEX ais_passports_by_status on ais_passports (account_id, status, created_at, id);
CREATE INDEX ais_passports_by_expiry on ais_passports (account_id, expires_at, id) where expires_at is not null;
CREATE INDEX ais_passports_by_parent on ais_passports (account_id, parent_agent_id, created_at, id) where parent_agent_id is not null;
CREATE INDEX ais_passports_count on ais_passports (account_id, id, status, suspended_until, expires_at);
CREATE INDEX ais_passport_versions_by_agent_id_created_at_id on ais_passport_versions (agent_id, created_at, id);
CREATE INDEX ais_domains_by_account_id_created_at_id on ais_domains (account_id, created_at, id);
CREATE INDEX ais_events_by_account on ais_events (account_id, created_at, id);
CREATE INDEX ais_events_by_age on ais_events (created_at, id);
CREATE INDEX ais_events_by_expiry on ais_events (expires_at);
CREATE INDEX ais_signing_keys_by_age on ais_signing_keys (created_at, id);
CREATE INDEX ais_status_slots_by_age on ais_status_slots (created_at, id);
CREATE INDEX ais_spends_by_account on ais_spends (account_id, created_at, id);
CREATE INDEX ais_spends_by_age on ais_spends (created_at, id);
CREATE INDEX ais_spends_by_due on ais_spends (due_at, id) where due_at is not null;
CREATE INDEX ais_spends_by_root_due on ais_spends (root_agent_id, due_at, id) where due_at is not null;
CREATE INDEX ais_spends_by_expiry on ais_spends (expires_at);
CREATE INDEX ais_webhooks_by_account on ais_webhooks (account_id, created_at, id);
CREATE INDEX ais_webhooks_by_age on ais_webhooks (created_at, id);
CREATE INDEX ais_webhook_deliveries_by_webhook on ais_webhook_deliveries (webhook_id, created_at, id);
CREATE INDEX ais_webhook_deliveries_by_age on ais_webhook_deliveries (created_at, id);
CREATE INDEX ais_webhook_deliveries_by_due on ais_webhook_deliveries (due_at, id) where due_at is not null;
CREATE INDEX ais_webhook_deliveries_by_expiry on ais_webhook_deliveries (expires_at);
CREATE INDEX ais_approvals_by_account on ais_approvals (account_id, created_at, id);
CREATE INDEX ais_approvals_by_status on ais_approvals (account_id, status, created_at, id);
CREATE INDEX ais_approvals_by_agent on ais_approvals (account_id, agent_id, created_at, id);
CREATE INDEX ais_approvals_by_digest on ais_approvals (environment, digest, created_at, id);
CREATE INDEX ais_approvals_by_age on ais_approvals (created_at, id);
CREATE INDEX ais_approvals_by_due on ais_approvals (due_at, id) where due_at is not null;
CREATE INDEX ais_approvals_by_account_due on ais_approvals (account_id, due_at, id) where due_at is not null;
CREATE INDEX ais_approvals_by_agent_due on ais_approvals (agent_id, due_at, id) where due_at is not null;
CREATE INDEX ais_approvals_by_expiry on ais_approvals (expires_at);
CREATE INDEX ais_erasures_by_age on ais_erasures (created_at, id);
CREATE INDEX ais_idempotency_by_account on ais_idempotency (account_id, created_at, id);
CREATE INDEX ais_idempotency_by_expires_at on ais_idempotency (expires_at);
CREATE INDEX ais_counters_by_expires_at on ais_counters (expires_at);
CREATE INDEX ais_journal_blocks_by_account on ais_journal_blocks (account_id, to_ms, writer, seq, from_ms);
CREATE INDEX ais_journal_blocks_by_age on ais_journal_blocks (to_ms);
COMMIT;
