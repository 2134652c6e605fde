/**
 * The PostgreSQL function that runs all steps of a write. Its argument has the steps in the order in which they lock
 * rows, each with its index in the write as `step`. The result has the failed steps and the value before each addition,
 * by this index. A failed step changes nothing, but the steps before it have changed rows.
 */
export const STEPS_FUNCTION = `
create function ais_steps(steps jsonb) returns jsonb language plpgsql volatile as $ais$
declare
  step jsonb; op text; target text; names text; ident text; place text;
  added bigint; most bigint; have bigint; holder text; touched bigint; failure text;
  failed jsonb := '{}'; known jsonb := '{}';
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
      if added between -9007199254740991 and most and added <> 0 and have is null then
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
    elsif op = 'forget' then
      delete from ais_counters where id = ident;
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
  return jsonb_build_object('failed', failed, 'found', known);
end $ais$`;

/**
 * The PostgreSQL function that runs all steps of a write in one round trip. If a step fails, it changes nothing. A write
 * of one step needs no subtransaction for that.
 */
export const WRITE_FUNCTION = `
create function ais_write(steps jsonb) returns jsonb language plpgsql volatile as $ais$
declare answer jsonb;
begin
  if jsonb_array_length(steps) = 1 then return ais_steps(steps); end if;
  begin
    answer := ais_steps(steps);
    if answer->'failed' <> '{}' then raise exception using errcode = 'AIS01'; end if;
  exception when sqlstate 'AIS01' then
    null;
  end;
  return answer;
end $ais$`;

/**
 * The PostgreSQL function that runs several writes in one transaction, in their order. The argument
 * `counters` has the ids of all their counters in byte order. The argument `writes` has the steps of each
 * write in the form for `ais_write`. It returns the results of `ais_write`.
 *
 * It first locks all counters in byte order, so that two such transactions cannot deadlock on counters. It
 * creates a missing counter as expired, because both have the value 0. If writes that only add to one counter
 * follow each other, it updates the counter once.
 */
export const JOINED_WRITE_FUNCTION = `
create function ais_write_joined(given jsonb) returns jsonb language plpgsql volatile as $ais$
declare
  counter text; steps jsonb; step jsonb; made text[] := '{}'; answers jsonb[] := '{}';
  ident text; amount bigint; ends text collate "C"; isAdd boolean; isLive boolean; isChanged boolean := false;
  added bigint; most bigint; have bigint; until text collate "C"; failure text;
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
    step := steps->0; added := step->>'by';
    isAdd := jsonb_array_length(steps) = 1 and step->>'op' = 'add' and added <> 0;
    if isChanged and not (isAdd and ident = step->>'id') then
      update ais_counters set value = amount, expires_at = ends where id = ident;
      isChanged := false; ident := null;
    end if;
    if isAdd and ident is distinct from step->>'id' then
      ident := step->>'id';
      select value, expires_at into amount, ends from ais_counters where id = ident;
      -- An earlier write may have forgotten the counter.
      isAdd := found;
    end if;
    if isAdd then
      most := step->>'max'; until := step->>'expires_at'; failure := null;
      isLive := ends is null or ends > step->>'at';
      have := case when isLive then amount else 0 end;
      if have + added between -9007199254740991 and most then
        isChanged := true; amount := have + added;
        ends := case
          when not isLive then until
          when step->>'renew' is null or ends > until then ends
          when ends is not null then until end;
      elsif have + added > most and (step->>'limited')::boolean then failure := 'limit';
      else failure := 'unsafe';
      end if;
      answers := answers || jsonb_build_object(
        'failed', case when failure is null then '{}' else jsonb_build_object(step->>'step', failure) end,
        'found', jsonb_build_object(step->>'step', have));
    else
      ident := null;
      answers := answers || ais_write(steps);
    end if;
  end loop;
  if isChanged then update ais_counters set value = amount, expires_at = ends where id = ident; end if;
  delete from ais_counters where id = any(made) and expires_at = '';
  return to_jsonb(answers);
end $ais$`;
