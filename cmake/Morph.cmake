#[=======================================================================[.rst:
Morph
-----

``ctest -L morph`` runs the tests that the current change can affect, likely failures first. Plain ``ctest`` still runs
every test. The module registers the tests of GoogleTest, Catch2, doctest and Boost.Test programs, and of programs that
are one test each. It can also adopt the tests that a project has registered already.

Included by ``find_package(Morph)``, and by ``add_subdirectory()`` or ``FetchContent`` of Morph's sources. CMake 3.25 or
newer. ``find_package(Morph COMPONENTS optimizer)`` gives the library ``Morph::optimizer``, too.

.. code-block:: cmake

  find_package(Morph REQUIRED)
  add_executable(geo_tests tests/geo_test.cpp)
  target_link_libraries(geo_tests geo GTest::gtest_main)
  morph_add_suite(geometry TARGET geo_tests)

.. command:: morph_add_suite

  ::

    morph_add_suite(<name> TARGET <executable>...
                    [FRAMEWORK gtest|catch2|doctest|boost|spec|none]
                    [PRODUCTION <target>...]
                    [POLICY all|safe|narrow|minimal|risk=<probability>]
                    [GRANULARITY case|tier|suite|auto]
                    [DATA <glob>...] [ALWAYS <regex>...]
                    [TEST_PREFIX <prefix>] [TEST_SUFFIX <suffix>] [TEST_LIST <variable>]
                    [EXTRA_ARGS <argument>...] [ENVIRONMENT <name>=<value>...]
                    [WORKING_DIRECTORY <directory>] [TIMEOUT <seconds>]
                    [LABELS <label>...] [PROPERTIES <property> <value>...]
                    [DISCOVERY_TIMEOUT <seconds>])

  Takes the place of ``gtest_discover_tests()``, ``catch_discover_tests()`` and ``doctest_discover_tests()``: their
  keywords mean the same and the tests keep their names. No test program runs while the project is built: ctest asks
  ``morph plan`` each time it lists the tests. If there is no plan, whole suites run and a warning says why.

  ``<name>``
    Letters, digits and ``_ . + -``. It becomes a label, therefore it may not contain ``morph`` or ``deferred``.

  ``TARGET``
    Executables of this project, made before this call or later in the same directory; what they link may be said
    anywhere. A target with a discovery of its own is an error. The same target may belong to several suites with
    different ``TEST_PREFIX``.

  ``FRAMEWORK``
    ``gtest``, ``catch2`` (Catch2 2 and 3), ``doctest``, ``boost`` (Boost.Test): each case of the programs is a test.
    Hidden cases of Catch2, cases of doctest that are marked ``skip()`` and cases of Boost.Test that are disabled are
    not registered. A case of Boost.Test is named with its suites, ``suite/inner/case``, and each row of data is a case;
    it runs with the cases that it depends on. ``spec``: each relation of Morph's own specs is a test (see
    ``morph_add_spec()``). ``none``: each program is one test, named ``<prefix><target><suffix>``; its verdict obeys
    ``PASS_REGULAR_EXPRESSION``, ``FAIL_REGULAR_EXPRESSION``, ``SKIP_RETURN_CODE`` and ``WILL_FAIL``. Without this
    keyword the framework is the one among what the targets link, directly or not; none or several is an error. A
    program that includes a framework's header without linking a target of it needs the keyword.

    Each test runs its case alone. Where the framework cannot express a name, the test runs other cases, too. Catch2
    does not distinguish names that differ only in case or outer blanks, and takes a ``*`` at an end of a name for a
    pattern. doctest does not distinguish names that differ only in case; ``*``, ``?``, commas and backslashes match any
    character. Boost.Test itself takes such characters out of names. Cases of one name always run.

  ``PRODUCTION``
    The targets whose code the tests are about. The default is every target that the programs link, directly or not, and
    that this project makes from files of its own source tree or beside it. Targets that are imported, fetched, from
    ``/usr`` or ``/opt``, and test frameworks do not count. Imported targets cannot be measured here: a suite that names
    one, or that tests nothing but such libraries (outside of ``/usr/lib``), selects every test, and a line says so.

  ``POLICY``
    ``safe`` (default): everything that the change can affect, in order of risk. ``all``: every test, in that order.
    ``narrow``: of what is selected by object code, not the tests that executed a function which changed but none of
    its changed lines. They get the mark ``unproven``: a function's code may matter elsewhere than where its text
    changed.
    ``minimal``: the cheapest tests that cover each changed line and function three times (``MORPH_K_COVERAGE``), and
    kill each known mutant as often; where fewer tests cover it, all of them. The deferred tests may find faults that
    these do not: run them later (``morph plan --nightly``, ``ctest -L deferred``).
    ``risk=<probability>``, such as ``risk=0.95``: the highest-ranked tests that detect a fault with this probability.
    It is estimated from what ``morph plan --audit`` has recorded of this project; before there is enough of that, from
    recorded faults of other programs.

  ``GRANULARITY``
    What ctest gets. A process of its own costs a case about 4.5 ms, which matters to thousands of short cases.

    ``case`` (default)
      One entry per case, named as the ``gtest_discover_tests()`` of this CMake names it. A newer CMake may change
      names; recorded rows and verdicts of a test stay valid.
    ``suite``
      ``<name>.selected`` (label ``morph``) and ``<name>.deferred`` (label ``deferred``).
    ``tier``
      ``<name>.tier1`` to ``<name>.tier4`` (label ``morph``), which start in this order, and ``<name>.deferred``. The
      first holds what failed, is new, was changed or matches ``ALWAYS``; the others hold the rest in equal parts, in
      the order of the plan.
    ``auto``
      ``tier`` for more than 2,000 cases, and for more than 100 whose processes would take longer than the measured
      tests themselves; else ``case``. It returns to ``case`` below half of these numbers.

    The entries of ``suite`` and ``tier`` are always registered, in this order; together they hold every enabled test
    once. One without tests has the label ``deferred`` and does nothing. ``morph run`` runs each in as few processes as
    possible and goes on in another one after a crash or a time-out. Its output is that of the programs; the last lines
    name the cases that failed, crashed, timed out or were not run, and what went wrong outside the cases. Within an
    entry the framework decides the order. ``TEST_LIST`` holds the entries. A case that failed moves to ``<name>.tier1``
    or ``<name>.selected``; until it passes it also stays where it failed, for ``ctest --rerun-failed``.

    ``TIMEOUT`` is each case's (1500 s without it, whatever ``ctest --timeout`` says); ctest's own limit of an entry is
    longer than what all its cases may take. ``EXTRA_ARGS``, ``ENVIRONMENT`` and ``WORKING_DIRECTORY`` are the
    programs'; all other ``PROPERTIES`` (fixtures, locks, ``RUN_SERIAL``) are the entries'. Those by which ctest judges
    the output or exit status of one test (``PASS_``, ``FAIL_`` and ``SKIP_REGULAR_EXPRESSION``, ``SKIP_RETURN_CODE``,
    ``WILL_FAIL``, ``TIMEOUT_AFTER_MATCH``) are errors, and make ``auto`` mean ``case``. A case that ends its program
    has failed, even with exit status 0. ``EXTRA_ARGS`` may not choose a reporter of Catch2 or doctest,
    GoogleTest's output file, nor a log or report of Boost.Test: Morph reads reports of its own.

    The environment variable ``MORPH_JUNIT_DIR`` names a folder, relative to the build tree, in which each entry reports
    its cases as ``<entry>.xml``.

  ``DATA``
    Globs of files that the tests read, relative to the current source directory: tracked files, ignored ones, and
    files outside the repository. A folder means all files in it.

  ``ALWAYS``
    Regular expressions; a case whose name in the program matches one is in every selection.

  ``EXTRA_ARGS``
    Arguments of each test. As in the frameworks' own modules, a program gets none of them when it lists its cases; one
    that cannot list without arguments runs as a whole, with ``EXTRA_ARGS``.

  ``TEST_LIST``
    The variable that holds the names of the tests when ctest reads the ``TEST_INCLUDE_FILES`` that follow. Default:
    ``<first target>_TESTS``.

  ``TIMEOUT``, ``ENVIRONMENT``, ``WORKING_DIRECTORY``, ``LABELS``, ``PROPERTIES``
    Properties of every test of the suite. The first four may also stand in ``PROPERTIES``. ``COST`` is Morph's own.
    Generator expressions may be used and see the targets of the top directory. A relative working directory starts at
    the current binary directory, which is the default.

  ``DISCOVERY_TIMEOUT``
    Seconds that a program may take to list its cases. Default: 5.

  Side effects: a file is appended to the directory's ``TEST_INCLUDE_FILES``; ``<build>/.morph/`` holds what ``morph``
  reads; the target ``morph-measure`` is made once. The project's own targets are built as before, but for one
  dependency: if Morph itself is part of the build, the ``morph`` program is built before the test programs. Checks that
  need the whole project (framework, production targets, ``enable_testing()``) are made when configuring ends, and name
  the file and line of the call.

.. command:: morph_add_spec

  ::

    morph_add_spec(<name> SOURCES <file>... [LINK <library>...] [LIKE <target>] [POOL <file>]
                   [<keyword of morph_add_suite> <value>...]...)

  Makes the executable ``<name>`` of files that hold metamorphic specs (``MORPH_SPEC()``, see docs/specs/tutorial.md),
  and the suite ``<name>`` of it: each relation is a test, named ``<spec>.<relation>``.

  .. code-block:: cmake

    find_package(Morph REQUIRED)
    morph_add_spec(triangle SOURCES triangle.spec.cpp LINK classifiers)

  ``SOURCES``
    C++20; the program links ``Morph::spec_main``, which has the ``main()``.

  ``LINK``
    The libraries under test, and whatever else the sources need.

  ``LIKE``
    A target, such as a test program, whose include directories, definitions, options and libraries the program gets.

  ``POOL``
    A pool, relative to the current source directory, that ``morph spec refresh`` makes and keeps up: the tests of its
    spec are its cases, named ``<spec>.<id>``, in place of the relations. Each is measured and selected by itself; a
    change of the file selects the cases whose lines changed. The relations of other specs of the program are tests as
    always. A file that is missing, broken, empty, of another spec, or names morphisms that went, makes the whole suite
    one failing test.

  The other keywords are those of ``morph_add_suite()``, but ``TARGET`` and ``FRAMEWORK``. ``EXTRA_ARGS`` are options of
  the program, such as ``--order 2`` (``morph spec run --help``). A spec inside a program of GoogleTest, Catch2 or
  doctest needs no call of its own: it is part of that program's suite. Its sources include ``<morph/gtest.hpp>``,
  ``<morph/catch2.hpp>`` or ``<morph/doctest.hpp>`` and link ``Morph::spec``.

.. command:: morph_adopt_tests

  ::

    morph_adopt_tests([NAME <name>] [DIRECTORY <directory>]
                      [POLICY all|safe|narrow|minimal|risk=<probability>]
                      [PRODUCTION <target>...]
                      [DATA <glob>...] [ALWAYS <regex>...])

  Takes every test that the project registers itself: by ``add_test()``, ``gtest_discover_tests()`` and its kin, by
  scripts, in all directories. It stands at the end of the top ``CMakeLists.txt``, behind the last
  ``add_subdirectory()`` that has tests.

  .. code-block:: cmake

    find_package(Morph REQUIRED)
    morph_adopt_tests()

  The tests keep their names, commands, order and properties. They get the label ``morph`` or ``deferred`` and the
  suite's name as another in addition to their own, and Morph's COST in place of theirs. Each is measured as one
  process. What runs before ``main()`` counts as the test's own, and so do the set-ups of its fixtures and the tests
  that it ``DEPENDS`` on. A test that cannot be measured is always selected. Its command is not a program of
  the project (a script, an interpreter, ``cmake -P``), or the target ``all`` does not build it. Morph understands
  ``cmake -E env``. A selected test also selects the tests that it ``DEPENDS`` on, as ctest itself adds fixtures. Tests of
  ``morph_add_suite()`` stay in their suites.

  ``NAME``
    The suite's name and label. Default: ``adopted``.

  ``DIRECTORY``
    Only the tests of this directory and those below it. Default: the current source directory. Several calls may take
    different directories.

  ``PRODUCTION``
    The libraries whose code the tests are about. Default: all of the project's own. The project's own executables are
    measured in any case.

  ``POLICY``, ``DATA``, ``ALWAYS``
    As those of ``morph_add_suite()``; ``ALWAYS`` matches the names of the tests.

  Labels are set when ctest is started in the directory of the call or above it. Below it ctest has the tests of the
  project alone. If there is no plan, all of them get the label ``morph``, and a warning says
  why.

Targets
^^^^^^^

``morph-measure``
  Builds the suites a second time, instrumented, in ``<build>/morph-twin/coverage``, runs every test there and keeps
  what each one executed. Morph reads the counters of GCC 11 to 16 and of Clang 14 to 19 itself. The compiler's own gcov
  or llvm-cov reads those of other versions from GCC 9 and Clang 11 on (see ``MORPH_COUNTERS``). Clang needs its
  run-time libraries (Debian: ``libclang-rt-<version>-dev``). C sources are measured if C and C++ have the same
  compiler; the change of another C source selects every test. With ``Ninja Multi-Config``, ``cmake --build <build>
  --config <cfg> --target morph-measure`` measures one configuration in ``<build>/morph-twin/coverage-<cfg>``, a tree of
  the generator ``Ninja`` with that ``CMAKE_BUILD_TYPE``; build trees of either kind share the measurement.

``morph-mutate``
  Runs ``morph mutate``: which small faults the tests would notice.

``morph-nothing``
  Builds nothing. ``morph plan --before-build --format targets`` names it when no test can be affected, so that
  ``cmake --build <build> --target $(morph plan --before-build --format targets)`` always is a command.

Variables
^^^^^^^^^

``MORPH_ENABLED`` (default ``ON``)
  ``OFF``: every suite becomes the plain ``gtest_discover_tests()``, ``catch_discover_tests()``,
  ``doctest_discover_tests()`` or ``add_test()``, and nothing else. A program whose framework's own CMake module cannot
  be found is registered whole, and a line says so. Adopted tests are left alone.

``MORPH_STORE``
  The evidence store, if not ``.morph/evidence.db`` at the top of the working copy. Each linked working copy (``git
  worktree``) has its own; this variable lets them share one. With ``MORPH_STORE_OVERLAY`` in the environment it is only
  read, and what the file named there says adds tests to plans and takes none away.

``MORPH_IGNORE``
  Globs of files whose changes affect no test, in place of the program's defaults.

``MORPH_PLAN_TIMEOUT`` (default 60)
  Seconds that ctest waits for a plan.

``MORPH_EXECUTABLE``
  The ``morph`` program to use instead of the one that comes with this module.

``MORPH_TWIN_CACHE_ARGS``
  A list of ``-D<name>[:<type>]=<value>``, cache entries that the twin gets in addition to those of this build tree.

``MORPH_EVIDENCE`` (default ``probes``)
  ``probes``: while ctest runs the tests of this build, Morph records which functions they enter and what they read.
  Plans need a finished build: until then a changed source affects every test.

  ``blocks``: as ``probes``, and basic blocks of functions, too (x86-64). If a function changed, a test is not affected
  that entered it but executed none of the blocks that differ. Tests that are recorded take longer. Of use at ``-O0``:
  an optimizer changes most of a function with any part of it.

  ``twin``: ``morph measure`` builds the programs a second time, instrumented, and records lines as well: for coverage
  reports, requirements of lines in ``morph optimize``, and plans before the build.

  ``off``: nothing is recorded, and every test runs.

``MORPH_PROFILE_UPDATE`` (default ``single``)
  How instrumented code counts: ``single``, ``atomic`` or ``prefer-atomic``, as the compiler's
  ``-fprofile-update``.

``MORPH_CONDITIONS`` (default ``ON``)
  With GCC 14 and later, also count which terms of a Boolean expression were seen to decide it
  (``-fcondition-coverage``), for ``morph report coverage``. Nothing is selected by it.

``MORPH_COUNTERS`` (default ``auto``)
  ``files``: the compiler's own gcov reads the counters, as it does with versions of GCC whose rows were not compared
  with gcov's. Every test then is a process of its own, all lines of a function count as executed together, and a change
  outside of functions selects every test of a program. A test that leaves a process behind, or makes one that ends
  without ``exit()`` (``_exit()``, a death test), always runs. ``morph measure`` and ``morph doctor`` say so. Clang's
  llvm-cov is tried first, on a program of which it is known what runs: if it misses a function, nothing is measured.

``MORPH_INSTRUMENT``
  ``coverage`` makes this build tree an instrumented one. ``morph measure`` sets it for the twin.

Platforms
^^^^^^^^^

Tests are measured and selected on Linux, with ``Ninja``, ``Ninja Multi-Config`` and ``Unix Makefiles``. With several
configurations each has its own plan: ``ctest -C <cfg> -L morph``, ``morph plan --config <cfg>``.

On other platforms and when cross-compiling every program is registered as one test ``<name>.all`` with the label
``morph``. So it is with a ``CMAKE_CROSSCOMPILING_EMULATOR``, which then runs the programs. Adopted tests all get that
label, and one line says why.
#]=======================================================================]
include_guard(GLOBAL)

if(CMAKE_VERSION VERSION_LESS 3.25)
  message(FATAL_ERROR "Morph needs CMake 3.25 or newer; this is ${CMAKE_VERSION}")
endif()

cmake_policy(PUSH)
cmake_policy(VERSION 3.25)

set(MORPH_ENABLED ON CACHE BOOL "Let Morph select tests; OFF: plain registration")
set(MORPH_STORE "" CACHE FILEPATH "Morph's evidence store; empty: .morph/evidence.db at the top of the working copy")
set(MORPH_IGNORE "" CACHE STRING "Globs of files whose changes affect no test; empty: Morph's defaults")
set(MORPH_PLAN_TIMEOUT 60 CACHE STRING "Seconds that ctest waits for Morph's plan")
set(MORPH_EXECUTABLE "" CACHE FILEPATH "The morph program; empty: the one that comes with the CMake module")
set(MORPH_TWIN_CACHE_ARGS "" CACHE STRING "Additional -D<name>=<value> for Morph's instrumented twin tree")
option(MORPH_CONDITIONS "Count the conditions of instrumented code (GCC 14 and later)" ON)
set(MORPH_EVIDENCE probes CACHE STRING "Where evidence comes from: probes or blocks (this build), twin (an instrumented build), or off")
set_property(CACHE MORPH_EVIDENCE PROPERTY STRINGS probes blocks twin off)
set(MORPH_COUNTERS auto CACHE STRING "What reads the counters of instrumented code: auto, or files (the compiler's gcov)")
set(MORPH_PROFILE_UPDATE single CACHE STRING "How instrumented code counts: single, atomic or prefer-atomic")
set(MORPH_INSTRUMENT "" CACHE STRING "Set by Morph in an instrumented build tree")
mark_as_advanced(MORPH_PLAN_TIMEOUT MORPH_EXECUTABLE MORPH_TWIN_CACHE_ARGS MORPH_PROFILE_UPDATE MORPH_CONDITIONS MORPH_COUNTERS MORPH_INSTRUMENT)

if(NOT MORPH_EVIDENCE MATCHES "^(probes|blocks|twin|off)$")
  message(FATAL_ERROR "MORPH_EVIDENCE '${MORPH_EVIDENCE}' is unknown; allowed: probes, blocks, twin, off")
endif()
if(NOT MORPH_INSTRUMENT MATCHES "^(coverage|mutation)?$")
  message(FATAL_ERROR "MORPH_INSTRUMENT '${MORPH_INSTRUMENT}' is not available in this version of Morph; allowed: coverage, mutation, or empty")
endif()
if(NOT MORPH_PLAN_TIMEOUT MATCHES "^[0-9]+(\\.[0-9]+)?$")
  message(FATAL_ERROR "MORPH_PLAN_TIMEOUT '${MORPH_PLAN_TIMEOUT}' is not a number of seconds, such as 60")
endif()
if(CMAKE_BINARY_DIR MATCHES "/morph-twin/[^/]+(/build)?$" AND NOT MORPH_INSTRUMENT)
  # CMake empties the cache when the compiler changes; the tree would silently become an ordinary one.
  message(FATAL_ERROR "this twin tree has lost its cache; remove ${CMAKE_BINARY_DIR} and run `morph measure` again")
endif()

# Morph's own sources have the runtime beside this directory; an installed MorphConfig.cmake says where it is.
set_property(GLOBAL PROPERTY _MORPH_MODULE_DIR "${CMAKE_CURRENT_LIST_DIR}")
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH _morph_source_dir)
if(_morph_installed_runtime_dir)
  set_property(GLOBAL PROPERTY _MORPH_RUNTIME_DIR "${_morph_installed_runtime_dir}")
  set_property(GLOBAL PROPERTY _MORPH_RUNTIME_INCLUDES "${_morph_installed_runtime_dir}")
  set_property(GLOBAL PROPERTY _MORPH_VERSION "${_morph_installed_version}")
else()
  set_property(GLOBAL PROPERTY _MORPH_MODULE_SOURCE_DIR "${_morph_source_dir}")
  set_property(GLOBAL PROPERTY _MORPH_RUNTIME_DIR "${_morph_source_dir}/plugin/runtime")
  set_property(GLOBAL PROPERTY _MORPH_RUNTIME_INCLUDES "${_morph_source_dir}/plugin/runtime;${_morph_source_dir}/coverage/gcov;${_morph_source_dir}/coverage/mutation")
  file(STRINGS "${_morph_source_dir}/CMakeLists.txt" _morph_version REGEX "^project\\(Morph VERSION ")
  string(REGEX REPLACE "^project\\(Morph VERSION ([0-9.]+).*" "\\1" _morph_version "${_morph_version}")
  set_property(GLOBAL PROPERTY _MORPH_VERSION "${_morph_version}")
  unset(_morph_version)
endif()
unset(_morph_source_dir)

# An imported target is visible in the directory of find_package() only; its path is good everywhere.
set_property(GLOBAL PROPERTY _MORPH_PROGRAM "")
if(TARGET Morph::morph)
  get_target_property(_morph_imported Morph::morph IMPORTED)
  if(_morph_imported)
    get_target_property(_morph_program Morph::morph LOCATION)
    set_property(GLOBAL PROPERTY _MORPH_PROGRAM "${_morph_program}")
    unset(_morph_program)
  endif()
  unset(_morph_imported)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/MorphText.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphFrameworks.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphLinks.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphArguments.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphSuite.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphSpec.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphAdopt.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphDescription.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphTwinCache.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphTwinFlags.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphTwinRuntime.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphTwin.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphMutation.cmake")

if(NOT MORPH_ENABLED)
  file(REMOVE "${CMAKE_BINARY_DIR}/.morph/build.json" "${CMAKE_BINARY_DIR}/.morph/twin-cache.cmake")
  _morph_remove_descriptions("")
endif()

cmake_policy(POP)
