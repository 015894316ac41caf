"""Every function and every verb with every id of somebody else, under every role: no foreign row is read or changed.

What belongs to whom is told by the rows themselves, asked as the superuser.
"""

import json
import os
import re
import subprocess

REPOSITORY = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
# Of each table with anything of a person that does not name a vault: how its rows are found from the person.
OWNED = {
    "users": "t.id = '{user}'",
    "partner_vaults": "t.user_id = '{user}'",
    "recommendation_feedback": "t.user_id = '{user}'",
    "notification_queue": "t.user_id = '{user}'",
}
BY_VAULT = "t.vault_id = '{vault}'"
PERSONS_ROLES = ["anon", "authenticated", "knot_person"]
SYSTEM_ROLES = ["knot_worker", "knot_queue", "owner"]


def try_all(trial, server):
    """On a server of its own, with two people's vaults and everything that hangs on them."""
    world = World(trial, server)
    seed(world)
    persons, tables = people(world)
    forge(world)
    try_functions(world, persons, tables)
    try_tables(world, persons)
    try_verbs(world, persons, tables)


class World:
    """The command and the server, and what broke a law."""

    def __init__(self, trial, server):
        self.trial, self.server = trial, server
        self.by_vault = []
        self.must("migrate")
        self.must("import", *(os.path.join(REPOSITORY, f"fixtures/vaults/dev-0{number}.json") for number in (1, 2)))

    def call(self, *words, user="owner"):
        """One call of the command as a role of the server."""
        return self.trial.call(words, environment={"DATABASE_URL": self.server.url(user=user)}, limit=120)

    def must(self, *words):
        """A call that has to do what it is asked."""
        done = self.call(*words)
        if done.code != 0:
            raise RuntimeError(f"{done.line()}: {done.err.decode()}")
        return done.out.decode()

    def rows(self, query):
        """Rows of one query as the superuser."""
        return self.server.psql(query)

    def print(self, script):
        """All that a script prints, errors too; it goes on after each."""
        place = ["-h", "127.0.0.1", "-p", str(self.server.port), "-U", "owner", "-d", "knot"]
        words = [os.path.join(self.server.tools, "psql"), "-X", "-q", "-A", "-t", "-F", "\x1f", *place]
        done = subprocess.run(words, input=script.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.stdout.decode("utf-8", "replace")

    def broken(self, group, law):
        """Notes what must not be."""
        self.trial.violations.append(f"[{group}] {law}")


def people(world):
    """Both people with all their ids by place, and texts that stand in no row of the other."""
    found = []
    for vault, user in world.rows("select id, user_id from partner_vaults order by id"):
        found.append({"vault": vault, "user": user, "ids": {}})
    tables = [row[0] for row in world.rows(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1")]
    for person in found:
        for table, column in world.rows(
                "select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid "
                "where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.atttypid = 'uuid'::regtype "
                "and a.attnum > 0 and not a.attisdropped order by 1, 2"):
            condition = owned(world, table, person)
            if condition is None:
                continue
            ids = world.rows(f"select distinct t.{column} from public.{table} t where {condition} "
                             f"and t.{column} is not null order by 1 limit 1")
            if ids:
                person["ids"][f"{table}.{column}"] = ids[0][0]
        texts = world.rows(
            f"select hint_text from hints where vault_id = '{person['vault']}' union "
            f"select title from recommendations where vault_id = '{person['vault']}' union "
            f"select partner_name from partner_vaults where id = '{person['vault']}' union "
            f"select story from vault_imports where vault_id = '{person['vault']}' and story is not null")
        person["texts"] = {text[0][:60] for text in texts if len(text[0]) >= 5}
    shared = found[0]["texts"] & found[1]["texts"]
    for person in found:
        person["texts"] -= shared
    return found, tables


def owned(world, table, person):
    """The condition by which a table's rows are a person's; nothing where it has none of anybody's."""
    if not world.by_vault:
        world.by_vault = [row[0] for row in world.rows(
            "select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid where a.attname = 'vault_id' "
            "and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'")]
    if table in OWNED:
        return OWNED[table].format(**person)
    return BY_VAULT.format(**person) if table in world.by_vault else None


def digest(world, person, tables):
    """A query for everything that is a person's, as one value."""
    parts = []
    for table in tables:
        condition = owned(world, table, person)
        if condition:
            parts.append(f"select '{table} ' || t::text as line from public.{table} t where {condition}")
    return "select md5(string_agg(line, '|' order by line)) from (" + " union all ".join(parts) + ") everything"


def seed(world):
    """What two people have beside their vaults, so that every table holds something of both."""
    for vault, user in world.rows("select id, user_id from partner_vaults order by id"):
        run = json.loads(world.must("run", "--vault", vault, "--request", "first", "--json"))["run_id"]
        world.rows(f"""
            insert into recommendation_feedback (recommendation_id, user_id, action, rating)
                select id, '{user}', 'rated', 5 from recommendations where run_id = '{run}';
            insert into hint_readings (vault_id, hint_id, reader, input_digest, about, stance, strength)
                select vault_id, id, 'rules', repeat('ab', 32), 'partner', 'likes', 0.5 from hints
                where vault_id = '{vault}' limit 1;
            insert into notification_queue (user_id, milestone_id, scheduled_for, days_before)
                select '{user}', id, now(), 7 from partner_milestones where vault_id = '{vault}' limit 1;
            insert into recommendation_jobs (vault_id, milestone_id, occurrence_date, days_before, notification_id, run_at,
                state, attempt, claim_token, claimed_by, lease_until)
                select '{vault}', n.milestone_id, current_date, 7, n.id, now(), 'running', 1, gen_random_uuid(),
                    gen_random_uuid(), now() + interval '1 hour'
                from notification_queue n where n.user_id = '{user}';
            """)
    world.must("learn", "--all")


def forge(world):
    """Rows from before there were rules: the one's words on the other's set, and a notice of the other's day."""
    world.rows("""
        set session_replication_role = replica;
        insert into recommendation_feedback (recommendation_id, user_id, action, rating)
            select r.id, o.user_id, 'rated', 1 from recommendations r join partner_vaults o on o.id <> r.vault_id
            where r.run_id is not null and r.position = 1;
        insert into notification_queue (user_id, milestone_id, scheduled_for, days_before)
            select o.user_id, m.id, now(), 7 from partner_milestones m join partner_vaults o on o.id <> m.vault_id;
        """)


# MARK: Functions

def functions(world):
    """Every function of ours, with its arguments' types."""
    return world.rows("""
        select n.nspname || '.' || quote_ident(p.proname), coalesce(array_to_string(array(
            select format_type(t, null) from unnest(p.proargtypes) with ordinality a (t, n) order by a.n), ';'), '')
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('api', 'knot', 'public') and p.prorettype <> 'trigger'::regtype and not exists (
            select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
        order by 1, 2""")


PLAIN = {
    "integer": "7", "text": "'sent'", "boolean": "true", "double precision": "0", "date": "'2027-05-06'",
    "timestamp with time zone": "'2027-04-29 10:00Z'", "text[]": "array['x']", "integer[]": "array[7]",
    "date[]": "array[date '2027-05-06']", "timestamp with time zone[]": "array[timestamptz '2027-04-29 10:00Z']",
}


def argument(kind, value):
    if kind in ("uuid", "uuid[]"):
        return f"'{value}'" if kind == "uuid" else f"array['{value}'::uuid]"
    if kind.endswith("vector"):
        return "array_fill(1, array[768])::public.vector"
    return PLAIN[kind]


def calls(function, kinds, mine, theirs):
    """Calls with one's own ids of every place and the other's of every place, one place at a time and all at once."""
    places = [i for i, kind in enumerate(kinds) if kind.startswith("uuid")]
    if not places:
        yield f"{function}({', '.join(argument(kind, None) for kind in kinds)})", set()
        return
    names = sorted(set(mine["ids"]) & set(theirs["ids"]))
    seen = set()
    proper = [best(function, place, kinds) for place in places]
    for name in names:
        for foreign in range(len(places) + 1):
            ids, owners = [], set()
            for number in range(len(places)):
                whose = theirs if foreign in (number, len(places)) else mine
                which = name if foreign in (number, len(places)) else proper[number]
                ids.append(whose["ids"].get(which, whose["ids"][name]))
                owners.add(whose["user"])
            words, rest = [], iter(ids)
            for kind in kinds:
                words.append(argument(kind, next(rest)) if kind.startswith("uuid") else argument(kind, None))
            text = f"{function}({', '.join(words)})"
            if text not in seen:
                seen.add(text)
                yield text, owners
    for whose in (mine, theirs):
        words = [argument(kind, whose["ids"][best(function, i, kinds)]) if kind.startswith("uuid") else
                 argument(kind, None) for i, kind in enumerate(kinds)]
        yield f"{function}({', '.join(words)})", {whose["user"]}


# Where the types do not tell which ids a function is meant for.
MEANT = {
    "api.begin_notice": ["notification_queue.id", "recommendation_jobs.id", "recommendation_jobs.claim_token"],
    "api.finish_notice": ["notification_queue.id", "recommendation_jobs.id", "recommendation_jobs.claim_token",
                          "recommendation_runs.id"],
    "api.begin_notices": ["notification_queue.id", "recommendation_jobs.id", "recommendation_jobs.claim_token"],
    "api.finish_notices": ["notification_queue.id", "recommendation_jobs.id", "recommendation_jobs.claim_token",
                           "recommendation_runs.id"],
    "api.claim_notification": ["recommendation_jobs.claimed_by", "notification_queue.id"],
    "knot.history_of": ["partner_vaults.id", "recommendation_runs.id"],
}


def best(function, place, kinds):
    """The place whose ids a function is meant for, as far as its signature tells."""
    if function in MEANT:
        return MEANT[function][place]
    if "enqueue" in function:
        return "partner_milestones.id"
    if "notification" in function:
        return "notification_queue.id"
    if "match_hints" in function:
        return "partner_vaults.id"
    if kinds.count("uuid") + kinds.count("uuid[]") == 1:
        return "recommendation_jobs.claimed_by" if "claim" in function or "release" in function else "recommendation_jobs.id"
    return ["recommendation_jobs.id", "recommendation_jobs.claim_token", "recommendation_runs.id"][place]


def try_functions(world, persons, tables):
    """Nobody's function reads or changes a row of another's; the system's changes one person's rows by that person's ids."""
    # Whoever takes any due job takes anybody's.
    anybodys = ("api.claim_jobs", "api.rescue")
    digests = [digest(world, person, tables) for person in persons]
    before = [world.rows(query)[0][0] for query in digests]
    for mine, theirs in ((persons[0], persons[1]), (persons[1], persons[0])):
        for role in PERSONS_ROLES + SYSTEM_ROLES:
            script, cases = [], []
            for function, types in functions(world):
                for text, owners in calls(function, types.split(";") if types else [], mine, theirs):
                    cases.append((function, text, owners))
                    become = "" if role == "owner" else f"set local role {role};"
                    claims = json.dumps({"sub": mine["user"], "role": "authenticated"})
                    script.append(
                        f"\\echo CASE {len(cases) - 1}\nbegin; {become} "
                        f"select set_config('request.jwt.claims', '{claims}', true) is null;\n"
                        f"select 'ROW', x::text from {text} x;\nreset role;\n"
                        + "".join(f"select 'DIGEST', ({query});\n" for query in digests) + "rollback;\n")
            judge(world, role, cases, world.print("".join(script)), persons, before, mine, theirs, anybodys)


def judge(world, role, cases, output, persons, before, mine, theirs, anybodys):
    """Holds what each call printed to the law."""
    for part in output.split("CASE ")[1:]:
        number, _, rest = part.partition("\n")
        function, text, owners = cases[int(number)]
        world.trial.count(f"functions as {role}")
        digests = re.findall(r"^DIGEST\x1f(.*)$", rest, re.M)
        is_person = role in PERSONS_ROLES
        if is_person and any(secret in rest for secret in theirs["texts"]):
            world.broken("functions", f"{role} read another's words by {text}")
        if len(digests) < len(persons):
            continue
        for person, old, new in zip(persons, before, digests):
            if old == new or function in anybodys and not is_person:
                continue
            if is_person and person is not mine or not is_person and owners and owners != {person["user"]}:
                world.broken("functions", f"{role} changed rows of {person['user']} by {text}")


# MARK: Tables

def try_tables(world, persons):
    """By every foreign id of every table: nothing is read, changed or deleted by a person's role."""
    for mine, theirs in ((persons[0], persons[1]), (persons[1], persons[0])):
        claims = json.dumps({"sub": mine["user"], "role": "authenticated"})
        for role in PERSONS_ROLES:
            script, cases = [], []
            for place, value in theirs["ids"].items():
                table, column = place.split(".")
                condition = owned(world, table, theirs)
                for statement in (
                        f"select 1 from public.{table} t where {column} = '{value}' and {condition}",
                        f"update public.{table} t set {column} = {column} where {column} = '{value}' and {condition} returning 1",
                        f"delete from public.{table} t where {column} = '{value}' and {condition} returning 1",
                        f"update public.{table} t set {column} = '{value}' returning 1"):
                    cases.append(statement)
                    script.append(
                        f"\\echo CASE {len(cases) - 1}\nbegin; set local role {role}; "
                        f"select set_config('request.jwt.claims', '{claims}', true) is null;\n"
                        f"select 'FOUND' from ({statement}) x;\n" if statement.startswith("select") else
                        f"\\echo CASE {len(cases) - 1}\nbegin; set local role {role}; "
                        f"select set_config('request.jwt.claims', '{claims}', true) is null;\n"
                        f"with x as ({statement}) select 'FOUND' from x;\n")
                    script.append("rollback;\n")
            for part in world.print("".join(script)).split("CASE ")[1:]:
                number, _, rest = part.partition("\n")
                world.trial.count(f"statements as {role}")
                if re.search(r"^FOUND$", rest, re.M) and not is_own_reference(cases[int(number)], mine, theirs):
                    world.broken("statements", f"{role} reached a foreign row by {cases[int(number)]}")


def is_own_reference(statement, mine, theirs):
    """An id that is nobody's secret: one's own words on the other's set are one's own row."""
    return f"user_id = '{mine['user']}'" in statement


# MARK: Verbs

VERBS = {
    "run": [["--vault", "ID"], ["--vault", "ID", "--dry-run"], ["--vault", "ID", "--request", "first"],
            ["--vault", "OWN", "--milestone", "ID"]],
    "refresh": [["--run", "ID", "--reason", "show_different"]],
    "explain": [["--run", "ID"], ["--run", "ID", "-v"]],
    "vault": [["show", "--vault", "ID"]],
    "hint": [["add", "--vault", "ID", "--text", "from a stranger"]],
    "feedback": [["liked", "--run", "ID", "--position", "1"], ["given", "--run", "ID", "--position", "2", "--request", "mine"]],
    "calendar": [["--vault", "ID"], ["--vault", "ID", "--json"], ["--vault", "ID", "--ics"]],
    "history": [["--vault", "ID"], ["--vault", "ID", "--json"], ["--run", "ID"], ["--vault", "OWN", "--after", "ID"]],
    "export": [["--vault", "ID"], ["--vault", "ID", "--all"]],
}


def try_verbs(world, persons, tables):
    """Every verb that takes a person, with every id of the other, on everybody's connection."""
    taking = [verb for verb in re.findall(r"^  ([a-z-]+)  ", world.must("help"), re.M)
              if "--as-user" in world.must("help", verb)]
    for verb in taking:
        if verb not in VERBS:
            world.broken("verbs", f"{verb} takes --as-user, and this trial knows no case of it")
    world.rows("alter role anon login; alter role authenticated login; alter role knot_queue login")
    for mine, theirs in ((persons[0], persons[1]), (persons[1], persons[0])):
        query = digest(world, theirs, tables)
        before = world.rows(query)[0][0]
        for role in PERSONS_ROLES + SYSTEM_ROLES:
            for verb, forms in VERBS.items():
                for form in forms:
                    values = sorted(set(theirs["ids"].values()))
                    # A connection that may not even see the schema is refused whatever the id is.
                    for value in values if role in ("owner", "knot_person") else [theirs["vault"], *values[::6]]:
                        words = [value if word == "ID" else mine["vault"] if word == "OWN" else word for word in form]
                        done = world.call(verb, *words, "--as-user", mine["user"], user=role)
                        world.trial.count(f"verbs as {role}")
                        said = (done.out + done.err).decode("utf-8", "replace")
                        text = " ".join([verb, *words])
                        if done.code in (0, 10, 11):
                            world.broken("verbs", f"{role}: {text} as another did what it was asked")
                        if any(secret in said for secret in theirs["texts"]):
                            world.broken("verbs", f"{role}: {text} as another printed what is not theirs")
            if world.rows(query)[0][0] != before:
                world.broken("verbs", f"{role}: a verb as another changed a foreign row")
                before = world.rows(query)[0][0]
