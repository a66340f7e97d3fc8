"""Whether the documents that Morph wrote in the end-to-end tests are what their schemas say.

validate.py own SOURCE_DIR DOCUMENTS PROGRAM ENTRIES       Morph's own formats: docs/schemas
validate.py of_others SCHEMAS DOCUMENTS PROGRAM            formats of others: SCHEMAS has theirs, from packages

Each test entry leaves a folder in DOCUMENTS; one that is older than PROGRAM says nothing of it. ENTRIES is a file of their
names, a line each: when all have run, a schema without a document is a fault. Exit code 77: skipped, with a word.
"""
import json
import os
import re
import shutil
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


def entries_in(folder, program):
    """Names of the test entries that this program has run in."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [name for name in names if os.stat(os.path.join(folder, name)).st_mtime >= os.stat(program).st_mtime]


def documents_in(folder, program):
    """Entry and file of each document of this program."""
    for entry in entries_in(folder, program):
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


def own_validators(source, report):
    """By name of the format: each schema of docs/schemas, which are those of the formats that scripts may read."""
    found = {}
    for name in sorted(os.listdir(os.path.join(source, 'docs/schemas'))):
        schema = json.loads(read(source, 'docs/schemas', name))
        jsonschema.Draft202012Validator.check_schema(schema)
        kind, number = name[:-len('.json')].rsplit('-', 1)
        if (schema['title'], schema['$id']) != (f'morph.{kind}/{number}', f'urn:morph:{kind}:{number}'):
            report.fault(f'docs/schemas/{name}: its title or $id is another')
        found[schema['title']] = jsonschema.Draft202012Validator(schema)
    for_scripts = {name for name, where in format_rows(source).items() if not where.startswith('<')}  # not in a build tree alone
    for name in sorted(for_scripts - set(found)):
        report.fault(f'{name} has no schema in docs/schemas')
    for name in sorted(set(found) - for_scripts):
        report.fault(f'docs/schemas has a schema of {name}, which is no format for scripts')
    return found


def own_documents(text):
    """Number, format and value of each document of a text. Two formats are lines of which the first alone names them."""
    schema = None
    for number, value in enumerate(values_in(text), 1):
        if not isinstance(value, dict) or 'schema' not in value and schema not in ('morph.export/1', 'morph.breed/1'):
            return
        schema = value.get('schema', schema)
        yield number, schema, value


def own(source, documents, program, entries):
    report = Report()
    validators = own_validators(source, report)
    seen, shapes = [], set()
    for entry, file in documents_in(documents, program):
        for number, schema, value in own_documents(read(file)):
            shape = (schema, shape_of(value))
            if schema not in validators or shape in shapes:
                continue
            shapes.add(shape)
            seen.append(schema)
            report.check(validators[schema], value, f'{schema} of {entry} ({file}, document {number})')
    ran = entries_in(documents, program)
    print(f'{len(seen)} different documents of {len(ran)} entries')
    missing = sorted(set(validators) - set(seen))
    left = set(read(entries).split()) - set(ran)
    if missing and not left:
        report.fault('no test has printed a document of ' + ', '.join(missing))
    elif missing:
        print(f'without a document, since {len(left)} end-to-end entries have not run: ' + ', '.join(missing))
    report.end()


def other_format(text):
    """The file of the schema that a document in a format of others goes by, and its value: parsed JSON, or a text."""
    if text.startswith('<'):
        if '<!DOCTYPE coverage' in text:  # SonarQube's has the same root
            text = re.sub('<!DOCTYPE[^>]*>', '', text)  # names a server
            return 'cobertura.dtd', re.sub(r' functions?-(rate|covered|valid)="[^"]*"', '', text)  # gcovr's own additions
        return ('junit.xsd', text) if '<testsuites' in text else (None, None)
    value = next(values_in(text), None)
    if isinstance(value, dict) and 'sarif' in value.get('$schema', ''):
        return 'sarif.json', value
    if isinstance(value, dict) and 'schemaVersion' in value:
        return 'mutation.json', value
    return None, None


def check_xml(schema, text, where, report):
    how = '--schema' if schema.endswith('.xsd') else '--dtdvalid'
    said = subprocess.run(['xmllint', '--nonet', '--noout', how, schema, '-'], input=text.encode(), capture_output=True, check=False)
    if said.returncode != 0:
        report.fault(f'{where}: ' + said.stderr.decode(errors='replace')[:600])


def of_others(folder, documents, program):
    report = Report()
    found = {'sarif.json': [], 'mutation.json': [], 'junit.xsd': [], 'cobertura.dtd': []}
    for entry, file in documents_in(documents, program):
        name, value = other_format(read(file))
        if name:
            found[name].append((f'{name} of {entry} ({file})', value))
    has_xmllint = shutil.which('xmllint') is not None
    known = [name for name in found if os.path.isfile(os.path.join(folder, name)) and (has_xmllint or name.endswith('.json'))]
    for name in sorted(set(found) - set(known)):
        print(f'not run: {name}; its package does not give it, or Debian\'s libxml2-utils is missing')
    if not any(found[name] for name in known):
        print('not run: there is no schema, or no document of an end-to-end test of this program')
        sys.exit(SKIPPED)
    for name in known:
        print(f'{name}: {len(found[name])} documents')
        path = os.path.join(folder, name)
        if not name.endswith('.json'):
            for where, text in found[name]:
                check_xml(path, text, where, report)
            continue
        schema = json.loads(read(path))
        validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
        for where, value in found[name]:
            report.check(validator, value, where)
    report.end()


def main():
    modes = {'own': (own, 6), 'of_others': (of_others, 5)}
    if len(sys.argv) < 2 or sys.argv[1] not in modes or len(sys.argv) != modes[sys.argv[1]][1]:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    modes[sys.argv[1]][0](*sys.argv[2:])


main()
