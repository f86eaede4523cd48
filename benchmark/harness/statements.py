"""The statements that the service sends, as PostgreSQL's log has them, for pgbench to send the same."""

import re
import time

# Lines that begin with a tab belong to the one before
TEXT = r"([^\n]*(?:\n\t[^\n]*)*)"
LOGGED = re.compile(rf"LOG:  execute [^:\n]+: {TEXT}\n[^\t\n][^\n]*DETAIL:  parameters: {TEXT}", re.IGNORECASE)
PARAMETER = re.compile(r"\$\d+ = (NULL|'(?:[^']|'')*')")


def of_request(database, request, parameter):
    """Those of a request that have something like this among their parameters: statement and literals of the parameters."""
    with open(f"{database.data}/log") as log:
        log.seek(0, 2)
        database.configure("log_statement", "all")
        time.sleep(1)
        request()
        time.sleep(1)
        database.configure("log_statement")
        text = log.read()
    found = [(statement.replace("\n\t", "\n"), PARAMETER.findall(parameters))
             for statement, parameters in LOGGED.findall(text)]
    return [(statement, literals) for statement, literals in found if any(parameter in literal for literal in literals)]


def prepare(name, statement):
    return f"prepare {name} as {statement.rstrip().rstrip(';')};\n"


def types(database, statement):
    """Those of the parameters, as PostgreSQL finds them."""
    return database.psql("-c", prepare("probe", statement), "-c", "select unnest(parameter_types)::text "
                         "from pg_prepared_statements where name = 'probe'").splitlines()


def execute(database, name, statement, literals, replacements):
    """A call with other literals: each replacement is an expression, by the text that it stands for."""
    arguments = []
    for literal, kind in zip(literals, types(database, statement)):
        for text, expression in replacements.items():
            literal = literal.replace(text, f"' || {expression} || '")
        arguments.append(f"({literal})::{kind}")
    return f"execute {name}({', '.join(arguments)});\n"
