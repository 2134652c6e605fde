/**
 * The PostgreSQL function that runs several writes in one transaction, in their order. It takes `counters`, the ids of
 * all their counters in byte order, and `writes`, the steps of each write as `ais_write` takes them. It returns the
 * answers of `ais_write`. It locks the counters before all other rows, and in one order, so that no two such
 * transactions can wait for each other's counters. One that does not exist is made as an expired one, which means the
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
