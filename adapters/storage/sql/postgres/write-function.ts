/**
 * The PostgreSQL function that runs all steps of a write in one round trip. Its argument has the steps in the order in
 * which they lock rows, each with its index in the write as `step`. The result has the failed steps and the value
 * before each addition, by this index. If a step fails, nothing is changed.
 */
export const WRITE_FUNCTION = `
create function ais_write(steps jsonb) returns jsonb language plpgsql volatile as $ais$
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
          -- Mostly the counter exists and has not expired: an insert would lock and rewrite its row for nothing.
          update ais_counters set value = value + added, expires_at = case
            when step->>'renew' is null or expires_at > step->>'expires_at' then expires_at
            when expires_at is not null then step->>'expires_at' end
          where id = ident and (expires_at is null or expires_at > step->>'at')
          and value + added between -9007199254740991 and most returning value - added into have;
        end if;
        if added <> 0 and have is null then
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
end $ais$`;

/**
 * The PostgreSQL function that runs several writes in one transaction, in their order. The argument `counters` has the
 * ids of all their counters in byte order. The argument `writes` has the steps of each write in the form for
 * `ais_write`. It returns the results of `ais_write`. It locks the counters before all other rows and in one order, so
 * that two such transactions cannot deadlock on counters. A missing counter is created as expired, which means the
 * same.
 */
export const JOINED_WRITE_FUNCTION = `
create function ais_write_joined(given jsonb) returns jsonb language plpgsql volatile as $ais$
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
end $ais$`;
