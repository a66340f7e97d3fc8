# Values that CMake's lists, JSON, bracket arguments or generator expressions could take apart.
add_executable(unit "${CMAKE_BINARY_DIR}/empty.cpp")
string(ASCII 7 bell)
morph_add_suite(hostile.+-_1 TARGET unit FRAMEWORK none TEST_PREFIX "p\"x " TEST_SUFFIX "\\s"
  EXTRA_ARGS "a;b" "c[" "]d" "back\\" "" "q\"uote" "]==]" "]=" "tab\there" "line\nbreak" "\nfirst" "${bell}" "%3B%0" "\${VAR}" "@VAR@"
             "$<open" "$<IF:1,yes;and,no>" "$<TARGET_NAME:unit>$<"
  ENVIRONMENT "A=x;y" "B=[1;2]" "C=$<TARGET_FILE_NAME:unit>"
  PROPERTIES FAIL_REGULAR_EXPRESSION "[[];\\]" REQUIRED_FILES "$<TARGET_FILE:unit>" TIMEOUT 7.5 RUN_SERIAL TRUE
             ENVIRONMENT "D=1;E=2" LABELS "slow;net"
  DATA "data/*.txt" /abs/[ab].txt ALWAYS "^A\\.b;c$" "x|y"
  WORKING_DIRECTORY here LABELS own)
