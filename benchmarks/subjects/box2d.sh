# box2d 2.4.1: one program of 5 doctest cases, which use its macros with their prefix; they reach much and assert little.
subject_package=box2d
subject_configure=(-DBOX2D_BUILD_TESTBED=OFF)
subject_target=unit_test
subject_suite=box2d
subject_kind='doctest, few assertions'
subject_tests=5

# ctest has no test of it: the suite is the first. The program includes <doctest/doctest.h>, no target says doctest.
subject_add_morph() {
  sed -i 's/^project(box2d.*/&\nenable_testing()/' "$1/CMakeLists.txt"
  printf 'find_package(Morph REQUIRED)\nmorph_add_suite(box2d TARGET unit_test FRAMEWORK doctest PRODUCTION box2d)\n' >>"$1/unit-test/CMakeLists.txt"
  printf 'build*/\n.morph/\n' >>"$1/.gitignore"
}

# The reaction with a name, in b2PrismaticJoint::GetReactionTorque().
subject_change() {
  sed -i '/^float b2PrismaticJoint::GetReactionTorque(/,/^}/s|return inv_dt \* m_impulse.y;|const float torque = inv_dt * m_impulse.y;\n\treturn torque;|' \
    "$1/src/dynamics/b2_prismatic_joint.cpp"
}

# Worked out by reading the sources: nothing in src/ calls it through b2Joint; of the tests, one makes a b2PrismaticJoint.
subject_affected=('joint reactions')

subject_fault() { sed -i 's|return torque;|return torque + 1;|' "$1/src/dynamics/b2_prismatic_joint.cpp"; }
