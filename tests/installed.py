# Whether `./dev install` builds all that it installs: installed.py SOURCE_DIR BUILD_DIR
import os
import re
import subprocess
import sys


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def installed(script, build):
    """Files of the build tree that an install script copies, with those of the scripts that it includes."""
    text = read(script)
    files = set(re.findall(r'FILES "(' + re.escape(build) + r'/[^"]*)"', text))
    for included in re.findall(r'include\("([^"]*)"\)', text):
        files |= installed(included, build)
    return files


def main():
    source, build = (os.path.realpath(folder) for folder in sys.argv[1:3])
    targets = re.search(r'^build_program\(\) \{.*?--target ([^\n]*)', read(source, 'dev'), re.S | re.M).group(1).split()
    built = set()
    for tool in 'query', 'inputs':  # what the targets stand for, and all that is made before
        lines = subprocess.run(['ninja', '-C', build, '-t', tool, *targets], check=True, capture_output=True, text=True).stdout.split('\n')
        built |= {os.path.join(build, line.strip()) for line in lines}
    rules = read(build, 'build.ninja')
    made = {path for path in installed(os.path.join(build, 'cmake_install.cmake'), build) if f'build {os.path.relpath(path, build)}' in rules}
    if not made:
        sys.exit('nothing of what is installed is built')
    if missing := sorted(made - built):
        sys.exit('./dev install does not build ' + ', '.join(missing))


main()
