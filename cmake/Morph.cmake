#[=======================================================================[.rst:
Morph
-----

Registers the tests of GoogleTest programs, and of programs that are one test each, or adopts the tests that a project
has registered already, so that ``ctest -L morph`` runs those which the current change can affect, likely failures first. Plain ``ctest`` still runs every test.

Included by ``find_package(Morph)``, and by ``add_subdirectory()`` or ``FetchContent`` of Morph's sources. CMake 3.25 or
newer.

.. code-block:: cmake

  find_package(Morph REQUIRED)
  add_executable(geo_tests tests/geo_test.cpp)
  target_link_libraries(geo_tests geo GTest::gtest_main)
  morph_add_suite(geometry TARGET geo_tests)

.. command:: morph_add_suite

  ::

    morph_add_suite(<name> TARGET <executable>...
                    [FRAMEWORK gtest|none]
                    [PRODUCTION <target>...]
                    [POLICY all|safe]
                    [GRANULARITY case]
                    [DATA <glob>...] [ALWAYS <regex>...]
                    [TEST_PREFIX <prefix>] [TEST_SUFFIX <suffix>] [TEST_LIST <variable>]
                    [EXTRA_ARGS <argument>...] [ENVIRONMENT <name>=<value>...]
                    [WORKING_DIRECTORY <directory>] [TIMEOUT <seconds>]
                    [LABELS <label>...] [PROPERTIES <property> <value>...]
                    [DISCOVERY_TIMEOUT <seconds>])

  Takes the place of ``gtest_discover_tests()``: its keywords mean the same and the tests keep their names. Nothing is
  run while the project is built; ctest asks ``morph plan`` each time it lists the tests. If there is no plan, whole
  suites run and a warning says why.

  ``<name>``
    Letters, digits and ``_ . + -``. It becomes a label, therefore it may not contain ``morph`` or ``deferred``.

  ``TARGET``
    Executables of this project; the targets exist already, what they link may be said later. A target with a discovery
    of its own is an error. The same target may belong to several suites, told apart by ``TEST_PREFIX``.

  ``FRAMEWORK``
    ``gtest``: each case of the programs is a test. ``none``: each program is one test, named
    ``<prefix><target><suffix>``; its verdict obeys ``PASS_REGULAR_EXPRESSION``, ``FAIL_REGULAR_EXPRESSION``,
    ``SKIP_RETURN_CODE`` and ``WILL_FAIL``. Without this keyword the framework is the one among what the targets link,
    directly or not; none or several is an error.

  ``PRODUCTION``
    The targets whose code the tests are about. The default is every target that the programs link, directly or not, and
    that this project makes from files of its own source tree: neither imported, nor fetched, nor a test framework.
    Imported targets are left out with a message.

  ``POLICY``
    ``safe`` (default): everything that the change can affect, in order of risk. ``all``: every test, in that order.

  ``DATA``
    Globs of files that the tests read, relative to the current source directory.

  ``ALWAYS``
    Regular expressions; a case whose name in the program matches one is in every selection.

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

.. command:: morph_adopt_tests

  ::

    morph_adopt_tests([NAME <name>] [DIRECTORY <directory>]
                      [POLICY all|safe]
                      [PRODUCTION <target>...]
                      [DATA <glob>...] [ALWAYS <regex>...])

  Takes every test that the project registers itself: by ``add_test()``, ``gtest_discover_tests()`` and its kin, by
  scripts, in all directories. It stands at the end of the top ``CMakeLists.txt``, behind the last
  ``add_subdirectory()`` that has tests.

  .. code-block:: cmake

    find_package(Morph REQUIRED)
    morph_adopt_tests()

  The tests keep their names, commands, order and properties. They get the label ``morph`` or ``deferred`` and the
  suite's name as another in addition to their own, and Morph's COST in place of theirs. Each is measured as one process:
  what it runs before ``main()`` is its own, and so is what the set-ups of its fixtures and the tests that it
  ``DEPENDS`` on ran before it. A test whose command is not a program of the project (a script, an interpreter,
  ``cmake -P``), or whose program the target ``all`` does not build, cannot be measured and is in every selection;
  ``cmake -E env`` is seen through. A selected test also
  selects the tests that it ``DEPENDS`` on, as ctest itself adds fixtures. Tests of ``morph_add_suite()`` stay in their
  suites.

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

  Labels are set when ctest is started in the directory of the call or above it: in a sub-directory of the build tree
  the tests are those of the project alone. If there is no plan, all of them get the label ``morph``, and a warning says
  why.

Targets
^^^^^^^

``morph-measure``
  Builds the suites a second time, instrumented, in ``<build>/morph-twin/coverage``, runs every test there and keeps
  what each one executed. Needs GCC 11 or 12.

Variables
^^^^^^^^^

``MORPH_ENABLED`` (default ``ON``)
  ``OFF``: every suite becomes the plain ``gtest_discover_tests()`` or ``add_test()``, and nothing else. Adopted tests
  are left alone.

``MORPH_STORE``
  The evidence store, if not ``.morph/evidence.db`` at the top of the working copy.

``MORPH_IGNORE``
  Globs of files whose changes affect no test, in place of the program's defaults.

``MORPH_PLAN_TIMEOUT`` (default 60)
  Seconds that ctest waits for a plan.

``MORPH_EXECUTABLE``
  The ``morph`` program to use instead of the one that comes with this module.

``MORPH_TWIN_CACHE_ARGS``
  A list of ``-D<name>[:<type>]=<value>``, cache entries that the twin gets in addition to those of this build tree.

``MORPH_PROFILE_UPDATE`` (default ``single``)
  How instrumented code counts: ``single``, ``atomic`` or ``prefer-atomic``, as GCC's ``-fprofile-update``.

``MORPH_INSTRUMENT``
  ``coverage`` makes this build tree an instrumented one. ``morph measure`` sets it for the twin.

Platforms
^^^^^^^^^

Tests are measured and selected on Linux with single-configuration generators. Elsewhere, with multi-configuration
generators and when cross-compiling, every program is registered as one test ``<name>.all`` with the label ``morph``,
adopted tests all get that label, and one line says why.
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
set(MORPH_PROFILE_UPDATE single CACHE STRING "How instrumented code counts: single, atomic or prefer-atomic")
set(MORPH_INSTRUMENT "" CACHE STRING "Set by Morph in an instrumented build tree")
mark_as_advanced(MORPH_PLAN_TIMEOUT MORPH_EXECUTABLE MORPH_TWIN_CACHE_ARGS MORPH_PROFILE_UPDATE MORPH_INSTRUMENT)

if(NOT MORPH_INSTRUMENT MATCHES "^(coverage)?$")
  message(FATAL_ERROR "MORPH_INSTRUMENT '${MORPH_INSTRUMENT}' is not available in this version of Morph; allowed: coverage, or empty")
endif()
if(NOT MORPH_PLAN_TIMEOUT MATCHES "^[0-9]+(\\.[0-9]+)?$")
  message(FATAL_ERROR "MORPH_PLAN_TIMEOUT '${MORPH_PLAN_TIMEOUT}' is not a number of seconds, such as 60")
endif()
if(CMAKE_BINARY_DIR MATCHES "/morph-twin/[^/]+$" AND NOT MORPH_INSTRUMENT)
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
  set_property(GLOBAL PROPERTY _MORPH_RUNTIME_INCLUDES "${_morph_source_dir}/plugin/runtime;${_morph_source_dir}/coverage/gcov")
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
include("${CMAKE_CURRENT_LIST_DIR}/MorphLinks.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphSuite.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphAdopt.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphDescription.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MorphTwin.cmake")

if(NOT MORPH_ENABLED)
  file(REMOVE "${CMAKE_BINARY_DIR}/.morph/build.json" "${CMAKE_BINARY_DIR}/.morph/twin-cache.cmake")
endif()

cmake_policy(POP)
