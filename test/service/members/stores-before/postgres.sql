CREATE FUNCTION ais_before.ais_write(steps jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $_$
declare
  step jsonb; op text; target text; names text; ident text; place text;
  added bigint; most bigint; have bigint; holder text; touched bigint; failure text;
  failed jsonb := '{}'; known jsonb := '{}';
begin
  begin
    for step in select value from jsonb_array_elements(steps) with ordinality as given (value, at) order by at loop
      op := step->>'op'; place := step->>'step'; ident := step->>'id'; failure := null;
      if op = 'add' then
        added := (step->>'by')::bigint; most := (step->>'max')::bigint; have := null;
        if added <> 0 then
          insert into ais_counters (id, value, expires_at) values (ident, 0, step->>'expires_at')
          on conflict (id) do update set value = 0, expires_at = excluded.expires_at
          where ais_counters.expires_at <= step->>'at';
          update ais_counters set value = value + added
          where id = ident and value + added between -9007199254740991 and most returning value - added into have;
        end if;
        if have is null then
          select value into have from ais_counters
          where id = ident and (expires_at is null or expires_at > step->>'at');
          have := coalesce(have, 0);
          if have + added > most then failure := 'limit';
          elsif added <> 0 then failure := 'unsafe';
          end if;
          if failure = 'limit' and not (step->>'limited')::boolean then failure := 'unsafe'; end if;
        end if;
        known := known || jsonb_build_object(place, have);
      else
        target := step->>'table';
        if op <> 'remove' then
          select string_agg(quote_ident(name), ', ') into names from jsonb_object_keys(step->'record') as name;
        end if;
        if op = 'remove' then
          execute format('delete from %I where id = $1 and version = $2', target)
          using ident, (step->>'version')::bigint;
          get diagnostics touched = row_count;
          if touched = 0 then failure := 'stale'; end if;
        elsif op = 'replace' then
          execute format('update %1$I set (%2$s) = (select %2$s from jsonb_populate_record(null::%1$I, $1))
            where id = $2 and version = $3', target, names)
          using step->'record', ident, (step->>'version')::bigint;
          get diagnostics touched = row_count;
          if touched = 0 then failure := 'stale'; end if;
        else
          touched := 0; holder := null;
          while touched = 0 and holder is null loop
            execute format('insert into %1$I (%2$s) select %2$s from jsonb_populate_record(null::%1$I, $1)
              on conflict (id) do nothing', target, names) using step->'record';
            get diagnostics touched = row_count;
            exit when touched > 0 or op = 'insert';
            execute format('select account_id from %I where id = $1 for update', target) into holder using ident;
          end loop;
          if touched = 0 then
            if op = 'insert' then failure := 'exists';
            elsif holder <> step->'record'->>'account_id' then failure := 'claimed';
            end if;
          end if;
        end if;
      end if;
      if failure is not null then failed := failed || jsonb_build_object(place, failure); end if;
    end loop;
    if failed <> '{}' then raise exception using errcode = 'AIS01'; end if;
  exception when sqlstate 'AIS01' then
    null;
  end;
  return jsonb_build_object('failed', failed, 'found', known);
end $_$;
CREATE FUNCTION ais_before.ais_write_joined(given jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare counter text; steps jsonb; made text[] := '{}'; answers jsonb := '[]';
begin
  for counter in
    select value from jsonb_array_elements_text(given->'counters') with ordinality as all_of (value, at) order by at
  loop
    loop
      perform 1 from ais_counters where id = counter for update;
      exit when found;
      insert into ais_counters (id, value, expires_at) values (counter, 0, '') on conflict (id) do nothing;
      if found then made := made || counter; exit; end if;
    end loop;
  end loop;
  for steps in
    select value from jsonb_array_elements(given->'writes') with ordinality as all_of (value, at) order by at
  loop
    answers := answers || jsonb_build_array(ais_write(steps));
  end loop;
  delete from ais_counters where id = any(made) and expires_at = '';
  return answers;
end $$;
CREATE TABLE ais_before.ais_accounts (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    plan text NOT NULL COLLATE pg_catalog."C",
    password_hash text NOT NULL COLLATE pg_catalog."C",
    token_version bigint NOT NULL,
    disabled_at text COLLATE pg_catalog."C",
    created_by text COLLATE pg_catalog."C",
    changed_at text COLLATE pg_catalog."C",
    changed_by text COLLATE pg_catalog."C",
    erased_at text COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_api_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    start text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    scopes text NOT NULL COLLATE pg_catalog."C",
    agent_ids text COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    expires_at text COLLATE pg_catalog."C",
    last_used_at text COLLATE pg_catalog."C",
    revoked_at text COLLATE pg_catalog."C",
    rotated_to text COLLATE pg_catalog."C",
    created_by text COLLATE pg_catalog."C",
    changed_at text COLLATE pg_catalog."C",
    changed_by text COLLATE pg_catalog."C",
    revoked_by text COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_approvals (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    round bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    intent text NOT NULL COLLATE pg_catalog."C",
    reasons text NOT NULL COLLATE pg_catalog."C",
    expires_at text NOT NULL COLLATE pg_catalog."C",
    due_at text COLLATE pg_catalog."C",
    decided_by text COLLATE pg_catalog."C",
    decided_at text COLLATE pg_catalog."C",
    note text COLLATE pg_catalog."C",
    decision_id text COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_counters (
    id text NOT NULL COLLATE pg_catalog."C",
    value bigint NOT NULL,
    expires_at text COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_domains (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    changed_at text COLLATE pg_catalog."C",
    changed_by text COLLATE pg_catalog."C",
    status text COLLATE pg_catalog."C",
    token text COLLATE pg_catalog."C",
    token_expires_at text COLLATE pg_catalog."C",
    method text COLLATE pg_catalog."C",
    proven_at text COLLATE pg_catalog."C",
    checked_at text COLLATE pg_catalog."C",
    seen_at text COLLATE pg_catalog."C",
    failures bigint
);
CREATE TABLE ais_before.ais_erasures (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    agent_id text COLLATE pg_catalog."C",
    swept_at text COLLATE pg_catalog."C",
    leased_until text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_events (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    expires_at text NOT NULL COLLATE pg_catalog."C",
    data text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_idempotency (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    expires_at text NOT NULL COLLATE pg_catalog."C",
    request_digest text NOT NULL COLLATE pg_catalog."C",
    object_id text NOT NULL COLLATE pg_catalog."C",
    response text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_journal_blocks (
    writer text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    account_id text NOT NULL COLLATE pg_catalog."C",
    from_ms bigint NOT NULL,
    to_ms bigint NOT NULL,
    records bigint NOT NULL,
    denied bigint NOT NULL,
    flags bigint NOT NULL,
    filter bytea NOT NULL,
    data bytea NOT NULL,
    erased bigint DEFAULT 0 NOT NULL,
    erasable bytea
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_cost_delay='0', autovacuum_vacuum_insert_scale_factor='0.05', toast.autovacuum_vacuum_scale_factor='0.01', toast.autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY ais_before.ais_journal_blocks ALTER COLUMN filter SET STORAGE MAIN;
ALTER TABLE ONLY ais_before.ais_journal_blocks ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TABLE ais_before.ais_journal_deltas (
    id text NOT NULL COLLATE pg_catalog."C",
    from_key text NOT NULL COLLATE pg_catalog."C",
    to_key text NOT NULL COLLATE pg_catalog."C",
    deltas text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_journal_writers (
    id text NOT NULL COLLATE pg_catalog."C",
    flushed bigint NOT NULL,
    merged bigint NOT NULL,
    seen_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_meta (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_passport_versions (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    changed_by text NOT NULL COLLATE pg_catalog."C",
    changed_at text NOT NULL COLLATE pg_catalog."C",
    passport text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_passports (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    domain text NOT NULL COLLATE pg_catalog."C",
    agent_name text NOT NULL COLLATE pg_catalog."C",
    allowed_actions text NOT NULL COLLATE pg_catalog."C",
    monetary_limit_per_txn text NOT NULL COLLATE pg_catalog."C",
    denied_actions text COLLATE pg_catalog."C",
    currency text COLLATE pg_catalog."C",
    allowed_targets text COLLATE pg_catalog."C",
    monetary_actions text COLLATE pg_catalog."C",
    budgets text COLLATE pg_catalog."C",
    approval text COLLATE pg_catalog."C",
    not_before text COLLATE pg_catalog."C",
    expires_at text COLLATE pg_catalog."C",
    proof text COLLATE pg_catalog."C",
    description text COLLATE pg_catalog."C",
    public_keys text COLLATE pg_catalog."C",
    metadata text COLLATE pg_catalog."C",
    parent_agent_id text COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    suspended_until text COLLATE pg_catalog."C",
    suspended_by text COLLATE pg_catalog."C",
    suspension_reason text COLLATE pg_catalog."C",
    revoked_at text COLLATE pg_catalog."C",
    revoked_by text COLLATE pg_catalog."C",
    revocation_reason text COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_rollups (
    resolution text NOT NULL COLLATE pg_catalog."C",
    start text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    count bigint NOT NULL,
    CONSTRAINT ais_rollups_count_check CHECK (((count >= '-9007199254740991'::bigint) AND (count <= '9007199254740991'::bigint)))
);
CREATE TABLE ais_before.ais_sessions (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    token_version bigint NOT NULL,
    expires_at text NOT NULL COLLATE pg_catalog."C",
    revoked_at text COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_signing_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    kid text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL COLLATE pg_catalog."C",
    alg text NOT NULL COLLATE pg_catalog."C",
    public_jwk text NOT NULL COLLATE pg_catalog."C",
    sealed text NOT NULL COLLATE pg_catalog."C",
    not_before text NOT NULL COLLATE pg_catalog."C",
    retire_at text COLLATE pg_catalog."C",
    revoked_at text COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_spends (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    root_agent_id text COLLATE pg_catalog."C",
    environment text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    amount text COLLATE pg_catalog."C",
    released_amount text COLLATE pg_catalog."C",
    committed_amount text COLLATE pg_catalog."C",
    committed_whole bigint NOT NULL,
    currency text COLLATE pg_catalog."C",
    decimals bigint NOT NULL,
    held_until text COLLATE pg_catalog."C",
    due_at text COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    expires_at text COLLATE pg_catalog."C",
    takings text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_status_slots (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    list_id text NOT NULL COLLATE pg_catalog."C",
    status_index bigint,
    agent_id text COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_webhook_deliveries (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    webhook_id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    attempt bigint NOT NULL,
    http_status bigint,
    duration_ms bigint,
    attempted_at text COLLATE pg_catalog."C",
    due_at text COLLATE pg_catalog."C",
    is_leased bigint NOT NULL,
    payload text NOT NULL COLLATE pg_catalog."C",
    expires_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE ais_before.ais_webhooks (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    types text NOT NULL COLLATE pg_catalog."C",
    description text COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    disabled_reason text COLLATE pg_catalog."C",
    created_by text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    last_success_at text COLLATE pg_catalog."C",
    last_failure_at text COLLATE pg_catalog."C",
    failures_in_a_row bigint NOT NULL,
    sealed text NOT NULL COLLATE pg_catalog."C",
    previous_sealed text COLLATE pg_catalog."C",
    previous_until text COLLATE pg_catalog."C",
    read_from text NOT NULL COLLATE pg_catalog."C"
);
INSERT INTO ais_before.ais_accounts VALUES ('acc_3SnSDyuXREJmPMhoNqT3vg', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1795775568785, '2026-11-27T10:32:48.785Z', 'ann@example.com', 'starter', '$scrypt$ln=17,r=8,p=1$HMfAesl+BRtLxditUoMEFQ$MR73cr2atXpz1qF31U+9hS8DMYc+MhnM1QOaI6QNsgc', 1795775568785, NULL, 'operator', NULL, NULL, NULL);
INSERT INTO ais_before.ais_api_keys VALUES ('key_2BpBekzkfbhDOK7WKhPYm7', 'acc_3SnSDyuXREJmPMhoNqT3vg', 2, '2026-11-27T10:32:51.113Z', 'till', 'ais_live_mwOW', '47fb0e46c3b94d0aa27bfa55c8f1b11773e6d0fa867abffacbbb9a33f8cee1d5', 'live', '["verify","revoke"]', NULL, 'active', NULL, '2026-11-27T10:32:00.000Z', NULL, NULL, 'acc_3SnSDyuXREJmPMhoNqT3vg', NULL, NULL, NULL);
INSERT INTO ais_before.ais_approvals VALUES ('apr_1SfSPGyZHIOIXaXTybStwz', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1, '2026-11-27T10:32:51.171Z', 'did:web:shop.example:agents:buyer', 'live', 'a5ce18e339983150862d2355c1b8df8d116ede43285f43ed9ed8deca9f6c9623', 0, 'pending', '{"agent_id":"did:web:shop.example:agents:buyer","action":"orders.get"}', '[{"code":"approval_required","message":"A person must approve the intent.","agent_id":"did:web:shop.example:agents:buyer","action":"orders.get"}]', '2026-12-04T10:32:51.171Z', '2026-12-04T10:32:51.171Z', NULL, NULL, NULL, NULL);
INSERT INTO ais_before.ais_counters VALUES ('usage:keys:acc_3SnSDyuXREJmPMhoNqT3vg', 1, NULL);
INSERT INTO ais_before.ais_counters VALUES ('usage:passports:acc_3SnSDyuXREJmPMhoNqT3vg', 1, NULL);
INSERT INTO ais_before.ais_counters VALUES ('approvals:live:did:web:shop.example:agents:buyer', 1, NULL);
INSERT INTO ais_before.ais_domains VALUES ('shop.example', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1, '2026-11-27T10:32:51.128Z', NULL, NULL, 'claimed', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO ais_before.ais_events VALUES ('0VcAVHujcV4WEUSml00000000.acc_3SnSDyuXREJmPMhoNqT3vg', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1, '2026-11-27T10:32:51.113Z', 'key.created', '2026-12-04T10:32:51.113Z', '{"id":"key_2BpBekzkfbhDOK7WKhPYm7","start":"ais_live_mwOW","status":"active","last_used_at":null,"revoked_at":null,"rotated_to":null,"changed_at":null,"changed_by":"acc_3SnSDyuXREJmPMhoNqT3vg","revoked_by":null,"name":"till","environment":"live","scopes":["verify","revoke"],"agent_ids":null,"created_at":"2026-11-27T10:32:51.113Z","expires_at":null,"created_by":"acc_3SnSDyuXREJmPMhoNqT3vg"}');
INSERT INTO ais_before.ais_events VALUES ('0VcAVHv9cV4WEUSml00000001.acc_3SnSDyuXREJmPMhoNqT3vg', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1, '2026-11-27T10:32:51.139Z', 'domain.claimed', '2026-12-04T10:32:51.139Z', '{"domain":"shop.example","changed_by":"acc_3SnSDyuXREJmPMhoNqT3vg"}');
INSERT INTO ais_before.ais_events VALUES ('0VcAVHv9cV4WEUSml00000002.acc_3SnSDyuXREJmPMhoNqT3vg', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1, '2026-11-27T10:32:51.139Z', 'passport.created', '2026-12-04T10:32:51.139Z', '{"agent_id":"did:web:shop.example:agents:buyer","version":1,"changed_by":"acc_3SnSDyuXREJmPMhoNqT3vg"}');
INSERT INTO ais_before.ais_events VALUES ('0VcAVHvMcV4WEUSml00000003.acc_3SnSDyuXREJmPMhoNqT3vg', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1, '2026-11-27T10:32:51.152Z', 'passport.updated', '2026-12-04T10:32:51.152Z', '{"agent_id":"did:web:shop.example:agents:buyer","version":2,"changed_by":"acc_3SnSDyuXREJmPMhoNqT3vg","change":"equal"}');
INSERT INTO ais_before.ais_events VALUES ('0VcAVHvfcV4WEUSml00000004.acc_3SnSDyuXREJmPMhoNqT3vg', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1, '2026-11-27T10:32:51.171Z', 'approval.requested', '2026-12-04T10:32:51.171Z', '{"id":"apr_1SfSPGyZHIOIXaXTybStwz","status":"pending","agent_id":"did:web:shop.example:agents:buyer","environment":"live","created_at":"2026-11-27T10:32:51.171Z","expires_at":"2026-12-04T10:32:51.171Z","decided_by":null,"decided_at":null,"note":null,"decision_id":null,"changed_by":"key_2BpBekzkfbhDOK7WKhPYm7"}');
INSERT INTO ais_before.ais_journal_blocks VALUES ('qeXwSZ5zPAuZv15oou', 1, 'acc_3SnSDyuXREJmPMhoNqT3vg', 1795775571167, 1795775571167, 1, 1, 1, '\x0000002000000000000010880004200000000000000000100000000000000004', '\x010d011e0202030204010523060c07020832095c0a370b020c01140101dfc9c2e4a134166465635f644f39796f63536f6f51334244775a6d4d65000100016501216469643a7765623a73686f702e6578616d706c653a6167656e74733a6275796572010a6f72646572732e676574010001305b226c697665222c66616c73652c6e756c6c2c226b65795f32427042656b7a6b666268444f4b37574b6850596d37225d02025b5d565b5b22617070726f76616c5f7265717569726564222c224120706572736f6e206d75737420617070726f76652074686520696e74656e742e222c22617070726f76616c5f6964222c22657870697265735f6174225d5d01021a6170725f315366535047795a48494f495861585479625374777a18323032362d31322d30345431303a33323a35312e3137315a0406000300002e1e3250', 0, NULL);
INSERT INTO ais_before.ais_journal_writers VALUES ('qeXwSZ5zPAuZv15oou', 1, 1, '2026-11-27T10:32:51.341Z');
INSERT INTO ais_before.ais_meta VALUES ('marker', '6f6ecb0e-da25-4fbd-af91-4a631b83bbef');
INSERT INTO ais_before.ais_meta VALUES ('tables_version', '3');
INSERT INTO ais_before.ais_meta VALUES ('oldest_usable', '1');
INSERT INTO ais_before.ais_meta VALUES ('server_runs', '[["1795773012.123863","139371","7712786355390429292"]]');
INSERT INTO ais_before.ais_meta VALUES ('shared session_secret', 'dsNwLj76JKR6TnHNzLZunQ.4Mj/Dzdg5cOqWNsce+vzqA');
INSERT INTO ais_before.ais_passport_versions VALUES ('did:web:shop.example:agents:buyer@0000000001', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1, '2026-11-27T10:32:51.128Z', 'did:web:shop.example:agents:buyer', 'acc_3SnSDyuXREJmPMhoNqT3vg', '2026-11-27T10:32:51.128Z', '{"id":"did:web:shop.example:agents:buyer","account_id":"acc_3SnSDyuXREJmPMhoNqT3vg","version":1,"created_at":"2026-11-27T10:32:51.128Z","updated_at":"2026-11-27T10:32:51.128Z","domain":"shop.example","agent_name":"buyer","allowed_actions":["orders.get"],"monetary_limit_per_txn":"10","approval":{"actions":["orders.get"],"seconds":604800},"status":"active","suspended_until":null,"suspended_by":null,"suspension_reason":null,"revoked_at":null,"revoked_by":null,"revocation_reason":null}');
INSERT INTO ais_before.ais_passport_versions VALUES ('did:web:shop.example:agents:buyer@0000000002', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1, '2026-11-27T10:32:51.151Z', 'did:web:shop.example:agents:buyer', 'acc_3SnSDyuXREJmPMhoNqT3vg', '2026-11-27T10:32:51.151Z', '{"id":"did:web:shop.example:agents:buyer","account_id":"acc_3SnSDyuXREJmPMhoNqT3vg","version":2,"created_at":"2026-11-27T10:32:51.128Z","updated_at":"2026-11-27T10:32:51.151Z","status":"active","suspended_until":null,"suspended_by":null,"suspension_reason":null,"revoked_at":null,"revoked_by":null,"revocation_reason":null,"domain":"shop.example","agent_name":"buyer","allowed_actions":["orders.get"],"monetary_limit_per_txn":"10","approval":{"actions":["orders.get"],"seconds":604800},"description":"buys paper"}');
INSERT INTO ais_before.ais_passports VALUES ('did:web:shop.example:agents:buyer', 'acc_3SnSDyuXREJmPMhoNqT3vg', 2, '2026-11-27T10:32:51.128Z', '2026-11-27T10:32:51.151Z', 'shop.example', 'buyer', '["orders.get"]', '10', NULL, NULL, NULL, NULL, NULL, '{"actions":["orders.get"],"seconds":604800}', NULL, NULL, NULL, 'buys paper', NULL, NULL, NULL, 'active', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO ais_before.ais_rollups VALUES ('day', '2026-11-27T00:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'action', 'orders.get', 1);
INSERT INTO ais_before.ais_rollups VALUES ('day', '2026-11-27T00:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'agent', 'did:web:shop.example:agents:buyer', 1);
INSERT INTO ais_before.ais_rollups VALUES ('day', '2026-11-27T00:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'latency', '26624', 1);
INSERT INTO ais_before.ais_rollups VALUES ('day', '2026-11-27T00:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'reason', 'approval_required', 1);
INSERT INTO ais_before.ais_rollups VALUES ('day', '2026-11-27T00:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'verdict', 'DENY', 1);
INSERT INTO ais_before.ais_rollups VALUES ('day', '2026-11-27T00:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'action', 'orders.get', 1);
INSERT INTO ais_before.ais_rollups VALUES ('day', '2026-11-27T00:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'latency', '23170', 1);
INSERT INTO ais_before.ais_rollups VALUES ('day', '2026-11-27T00:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'reason', 'approval_required', 1);
INSERT INTO ais_before.ais_rollups VALUES ('day', '2026-11-27T00:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'verdict', 'DENY', 1);
INSERT INTO ais_before.ais_rollups VALUES ('hour', '2026-11-27T10:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'action', 'orders.get', 1);
INSERT INTO ais_before.ais_rollups VALUES ('hour', '2026-11-27T10:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'agent', 'did:web:shop.example:agents:buyer', 1);
INSERT INTO ais_before.ais_rollups VALUES ('hour', '2026-11-27T10:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'latency', '26624', 1);
INSERT INTO ais_before.ais_rollups VALUES ('hour', '2026-11-27T10:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'reason', 'approval_required', 1);
INSERT INTO ais_before.ais_rollups VALUES ('hour', '2026-11-27T10:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'verdict', 'DENY', 1);
INSERT INTO ais_before.ais_rollups VALUES ('hour', '2026-11-27T10:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'action', 'orders.get', 1);
INSERT INTO ais_before.ais_rollups VALUES ('hour', '2026-11-27T10:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'latency', '23170', 1);
INSERT INTO ais_before.ais_rollups VALUES ('hour', '2026-11-27T10:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'reason', 'approval_required', 1);
INSERT INTO ais_before.ais_rollups VALUES ('hour', '2026-11-27T10:00:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'verdict', 'DENY', 1);
INSERT INTO ais_before.ais_rollups VALUES ('minute', '2026-11-27T10:32:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'action', 'orders.get', 1);
INSERT INTO ais_before.ais_rollups VALUES ('minute', '2026-11-27T10:32:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'agent', 'did:web:shop.example:agents:buyer', 1);
INSERT INTO ais_before.ais_rollups VALUES ('minute', '2026-11-27T10:32:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'latency', '26624', 1);
INSERT INTO ais_before.ais_rollups VALUES ('minute', '2026-11-27T10:32:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'reason', 'approval_required', 1);
INSERT INTO ais_before.ais_rollups VALUES ('minute', '2026-11-27T10:32:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', '', 'verdict', 'DENY', 1);
INSERT INTO ais_before.ais_rollups VALUES ('minute', '2026-11-27T10:32:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'action', 'orders.get', 1);
INSERT INTO ais_before.ais_rollups VALUES ('minute', '2026-11-27T10:32:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'latency', '23170', 1);
INSERT INTO ais_before.ais_rollups VALUES ('minute', '2026-11-27T10:32:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'reason', 'approval_required', 1);
INSERT INTO ais_before.ais_rollups VALUES ('minute', '2026-11-27T10:32:00.000Z', 'acc_3SnSDyuXREJmPMhoNqT3vg', 'live', 'did:web:shop.example:agents:buyer', 'verdict', 'DENY', 1);
INSERT INTO ais_before.ais_sessions VALUES ('ses_ObUqJQGtVGHStp1mz7Kj9S', 'acc_3SnSDyuXREJmPMhoNqT3vg', 1, '2026-11-27T10:32:51.094Z', 1795775568785, '2026-11-27T11:32:51.094Z', NULL);
ALTER TABLE ONLY ais_before.ais_accounts
    ADD CONSTRAINT ais_accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_api_keys
    ADD CONSTRAINT ais_api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_approvals
    ADD CONSTRAINT ais_approvals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_counters
    ADD CONSTRAINT ais_counters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_domains
    ADD CONSTRAINT ais_domains_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_erasures
    ADD CONSTRAINT ais_erasures_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_events
    ADD CONSTRAINT ais_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_idempotency
    ADD CONSTRAINT ais_idempotency_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_journal_blocks
    ADD CONSTRAINT ais_journal_blocks_pkey PRIMARY KEY (writer, seq, account_id);
ALTER TABLE ONLY ais_before.ais_journal_deltas
    ADD CONSTRAINT ais_journal_deltas_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_journal_writers
    ADD CONSTRAINT ais_journal_writers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_meta
    ADD CONSTRAINT ais_meta_pkey PRIMARY KEY (name);
ALTER TABLE ONLY ais_before.ais_passport_versions
    ADD CONSTRAINT ais_passport_versions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_passports
    ADD CONSTRAINT ais_passports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_rollups
    ADD CONSTRAINT ais_rollups_pkey PRIMARY KEY (resolution, start, account_id, environment, agent_id, kind, key);
ALTER TABLE ONLY ais_before.ais_sessions
    ADD CONSTRAINT ais_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_signing_keys
    ADD CONSTRAINT ais_signing_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_spends
    ADD CONSTRAINT ais_spends_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_status_slots
    ADD CONSTRAINT ais_status_slots_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_webhook_deliveries
    ADD CONSTRAINT ais_webhook_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY ais_before.ais_webhooks
    ADD CONSTRAINT ais_webhooks_pkey PRIMARY KEY (id);
CREATE INDEX ais_accounts_by_created_at_id ON ais_before.ais_accounts USING btree (created_at, id);
CREATE INDEX ais_api_keys_by_account_id_created_at_id ON ais_before.ais_api_keys USING btree (account_id, created_at, id);
CREATE INDEX ais_api_keys_by_expiry ON ais_before.ais_api_keys USING btree (account_id, status, expires_at, id) WHERE (expires_at IS NOT NULL);
CREATE INDEX ais_approvals_by_account ON ais_before.ais_approvals USING btree (account_id, created_at, id);
CREATE INDEX ais_approvals_by_account_due ON ais_before.ais_approvals USING btree (account_id, due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX ais_approvals_by_age ON ais_before.ais_approvals USING btree (created_at, id);
CREATE INDEX ais_approvals_by_agent ON ais_before.ais_approvals USING btree (account_id, agent_id, created_at, id);
CREATE INDEX ais_approvals_by_agent_due ON ais_before.ais_approvals USING btree (agent_id, due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX ais_approvals_by_digest ON ais_before.ais_approvals USING btree (environment, digest, created_at, id);
CREATE INDEX ais_approvals_by_due ON ais_before.ais_approvals USING btree (due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX ais_approvals_by_expiry ON ais_before.ais_approvals USING btree (expires_at);
CREATE INDEX ais_approvals_by_status ON ais_before.ais_approvals USING btree (account_id, status, created_at, id);
CREATE INDEX ais_counters_by_expires_at ON ais_before.ais_counters USING btree (expires_at);
CREATE INDEX ais_domains_by_account_id_created_at_id ON ais_before.ais_domains USING btree (account_id, created_at, id);
CREATE INDEX ais_erasures_by_age ON ais_before.ais_erasures USING btree (created_at, id);
CREATE INDEX ais_events_by_account ON ais_before.ais_events USING btree (account_id, created_at, id);
CREATE INDEX ais_events_by_age ON ais_before.ais_events USING btree (created_at, id);
CREATE INDEX ais_events_by_expiry ON ais_before.ais_events USING btree (expires_at);
CREATE INDEX ais_idempotency_by_account ON ais_before.ais_idempotency USING btree (account_id, created_at, id);
CREATE INDEX ais_idempotency_by_expires_at ON ais_before.ais_idempotency USING btree (expires_at);
CREATE INDEX ais_journal_blocks_by_account ON ais_before.ais_journal_blocks USING btree (account_id, to_ms, writer, seq, from_ms);
CREATE INDEX ais_journal_blocks_by_age ON ais_before.ais_journal_blocks USING btree (to_ms);
CREATE INDEX ais_passport_versions_by_agent_id_created_at_id ON ais_before.ais_passport_versions USING btree (agent_id, created_at, id);
CREATE INDEX ais_passports_by_account_id_created_at_id ON ais_before.ais_passports USING btree (account_id, created_at, id);
CREATE INDEX ais_passports_by_account_id_domain_created_at_id ON ais_before.ais_passports USING btree (account_id, domain, created_at, id);
CREATE INDEX ais_passports_by_expiry ON ais_before.ais_passports USING btree (account_id, expires_at, id) WHERE (expires_at IS NOT NULL);
CREATE INDEX ais_passports_by_parent ON ais_before.ais_passports USING btree (account_id, parent_agent_id, created_at, id) WHERE (parent_agent_id IS NOT NULL);
CREATE INDEX ais_passports_by_status ON ais_before.ais_passports USING btree (account_id, status, created_at, id);
CREATE INDEX ais_passports_count ON ais_before.ais_passports USING btree (account_id, id, status, suspended_until, expires_at);
CREATE INDEX ais_sessions_by_account_id_created_at_id ON ais_before.ais_sessions USING btree (account_id, created_at, id);
CREATE INDEX ais_sessions_by_expires_at ON ais_before.ais_sessions USING btree (expires_at);
CREATE INDEX ais_signing_keys_by_age ON ais_before.ais_signing_keys USING btree (created_at, id);
CREATE INDEX ais_spends_by_account ON ais_before.ais_spends USING btree (account_id, created_at, id);
CREATE INDEX ais_spends_by_age ON ais_before.ais_spends USING btree (created_at, id);
CREATE INDEX ais_spends_by_due ON ais_before.ais_spends USING btree (due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX ais_spends_by_expiry ON ais_before.ais_spends USING btree (expires_at);
CREATE INDEX ais_spends_by_root_due ON ais_before.ais_spends USING btree (root_agent_id, due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX ais_status_slots_by_age ON ais_before.ais_status_slots USING btree (created_at, id);
CREATE INDEX ais_webhook_deliveries_by_age ON ais_before.ais_webhook_deliveries USING btree (created_at, id);
CREATE INDEX ais_webhook_deliveries_by_due ON ais_before.ais_webhook_deliveries USING btree (due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX ais_webhook_deliveries_by_expiry ON ais_before.ais_webhook_deliveries USING btree (expires_at);
CREATE INDEX ais_webhook_deliveries_by_webhook ON ais_before.ais_webhook_deliveries USING btree (webhook_id, created_at, id);
CREATE INDEX ais_webhooks_by_account ON ais_before.ais_webhooks USING btree (account_id, created_at, id);
CREATE INDEX ais_webhooks_by_age ON ais_before.ais_webhooks USING btree (created_at, id);
