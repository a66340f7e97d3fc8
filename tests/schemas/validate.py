"""Whether the documents that Morph wrote in the end-to-end tests are what their schemas say.

validate.py own SOURCE_DIR DOCUMENTS PROGRAM ENTRIES       Morph's own formats: docs/schemas
validate.py official OFFICIAL DOCUMENTS PROGRAM            formats of others: OFFICIAL has their schemas, from packages

Each test entry leaves a folder in DOCUMENTS; one that is older than PROGRAM says nothing of it. ENTRIES is a file of their
names, a line each: when all have run, a schema without a document is a fault. Exit code 77: skipped, with a word.
"""
import json
import os
import re
import subprocess
import sys

SKIPPED = 77

try:
    import jsonschema
except ImportError:
    print('not run: it needs Debian\'s python3-jsonschema')
    sys.exit(SKIPPED)


def read(*path):
    with open(os.path.join(*path), encoding='utf-8', errors='replace') as file:
        return file.read()


def values_in(text):
    """A document, or each line of a file of them; what is no JSON ends it."""
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            return
        yield value
        while at < len(text) and text[at] in ' \t\r\n':
            at += 1


def documents_in(folder, program):
    """Entry and file of each document of this program."""
    made = os.stat(program).st_mtime
    for entry in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if os.stat(os.path.join(folder, entry)).st_mtime < made:
            continue
        for name in sorted(os.listdir(os.path.join(folder, entry))):
            yield entry, os.path.join(folder, entry, name)


def shape_of(value):
    """Equal for values that a schema without patterns of long texts cannot tell apart."""
    if isinstance(value, dict):
        return frozenset((name, shape_of(each)) for name, each in value.items())
    if isinstance(value, list):
        return ('list', len(value) if len(value) < 5 else 5, frozenset(shape_of(each) for each in value))
    if isinstance(value, str):
        return value if len(value) < 16 else 'text'
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return (type(value), value < 0, value == 0, value > 1)
    return value


class Report:
    def __init__(self):
        self.faults = []

    def fault(self, text):
        self.faults.append(text)
        print('FAIL', text)

    def check(self, validator, value, where):
        error = jsonschema.exceptions.best_match(validator.iter_errors(value))
        if error is not None:
            place = '/'.join(str(each) for each in error.absolute_path)
            self.fault(f'{where}: at /{place}: {error.message[:400]}')

    def end(self):
        sys.exit(1 if self.faults else 0)


def format_rows(source):
    """Names of plugin/contract/formats.hpp's table, and where each goes."""
    text = read(source, 'plugin/contract/formats.hpp')
    names = dict(re.findall(r'(\w+_schema) = "(morph\.[a-z-]+/\d+)"', text))
    return {names[row]: where for row, where in re.findall(r'format_row\{(\w+),\s*"([^"]*)"', text)}


def own(source, documents, program, entries):
    report = Report()
    validators = {}
    for name in sorted(os.listdir(os.path.join(source, 'docs/schemas'))):
        schema = json.loads(read(source, 'docs/schemas', name))
        jsonschema.Draft202012Validator.check_schema(schema)
        kind, number = name[:-len('.json')].rsplit('-', 1)
        if (schema['title'], schema['$id']) != (f'morph.{kind}/{number}', f'urn:morph:{kind}:{number}'):
            report.fault(f'docs/schemas/{name}: its title or $id is another')
        validators[schema['title']] = jsonschema.Draft202012Validator(schema)
    rows = format_rows(source)
    internal = {name for name, where in rows.items() if where.startswith('<')}  # in a build tree alone
    for name in sorted(set(rows) - internal - set(validators)):
        report.fault(f'{name} has no schema in docs/schemas')
    for name in sorted(set(validators) - set(rows) | set(validators) & internal):
        report.fault(f'docs/schemas has a schema of {name}, which is no format for scripts')

    seen, shapes, ran = {}, set(), set()
    for entry, file in documents_in(documents, program):
        ran.add(entry)
        text = read(file)
        if not text.startswith('{'):
            continue
        schema = None
        for line, value in enumerate(values_in(text), 1):
            if not isinstance(value, dict):
                break
            schema = value.get('schema', schema)
            if schema not in validators:
                if line == 1:
                    break
                continue
            if line > 1 and schema not in ('morph.export/1', 'morph.breed/1'):
                break
            seen[schema] = seen.get(schema, 0) + 1
            shape = (schema, shape_of(value))
            if shape not in shapes:
                shapes.add(shape)
                report.check(validators[schema], value, f'{schema} of {entry} ({file}, line {line})')
    ran |= {entry for entry in os.listdir(documents) if os.stat(os.path.join(documents, entry)).st_mtime >= os.stat(program).st_mtime} \
        if os.path.isdir(documents) else set()
    print(f'{sum(seen.values())} documents of {len(ran)} entries, {len(shapes)} of them different')
    missing = sorted(set(validators) - set(seen))
    left = set(read(entries).split()) - ran
    if missing and not left:
        report.fault('no test has printed a document of ' + ', '.join(missing))
    elif missing:
        print(f'without a document, since {len(left)} end-to-end entries have not run: ' + ', '.join(missing))
    report.end()


def official_format(text):
    """Of a document in a format of others: its name, and its value if that is JSON."""
    if text.startswith('<'):
        root = re.search(r'<([A-Za-z]\w*)', re.sub(r'<[?!][^>]*>', '', text))
        return {'testsuites': 'junit.xsd', 'coverage': 'cobertura.dtd'}.get(root.group(1) if root else ''), None
    for value in values_in(text):
        if isinstance(value, dict) and 'runs' in value and 'version' in value:
            return 'sarif.json', value
        if isinstance(value, dict) and 'schemaVersion' in value and 'files' in value:
            return 'mutation.json', value
        break
    return None, None


def official(folder, documents, program):
    report = Report()
    found = {'sarif.json': [], 'mutation.json': [], 'junit.xsd': [], 'cobertura.dtd': []}
    for entry, file in documents_in(documents, program):
        name, value = official_format(read(file))
        if name:
            found[name].append((entry, file, value))
    known = [name for name in found if os.path.isfile(os.path.join(folder, name))]
    for name in found:
        if name not in known:
            print(f'not run: {name}, which its package does not give')
    if not known or not any(found[name] for name in known):
        print('not run: no schema, or no document that an end-to-end test of this program has left')
        sys.exit(SKIPPED)
    for name in known:
        path = os.path.join(folder, name)
        print(f'{name}: {len(found[name])} documents')
        if name.endswith('.json'):
            schema = json.loads(read(path))
            validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
            for entry, file, value in found[name]:
                report.check(validator, value, f'{name} of {entry} ({file})')
        elif found[name]:
            how = ['--schema', path] if name.endswith('.xsd') else ['--dtdvalid', path]
            files = [file for _, file, _ in found[name]]
            said = subprocess.run(['xmllint', '--nonet', '--noout', *how, *files], capture_output=True, text=True)
            if said.returncode != 0:
                report.fault(f'{name}:\n' + '\n'.join(line for line in said.stderr.splitlines() if not line.endswith(' validates')))
    report.end()


def main():
    modes = {'own': (own, 6), 'official': (official, 5)}
    if len(sys.argv) < 2 or sys.argv[1] not in modes or len(sys.argv) != modes[sys.argv[1]][1]:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    modes[sys.argv[1]][0](*sys.argv[2:])


main()
