# MORPH_ENABLED=OFF is what the project would have written without Morph.
run_cmake(Plain -DMORPH_ENABLED=OFF)
if(EXISTS "${build_dir}/.morph")
  fail(Plain "there is a folder .morph")
endif()
foreach(program IN ITEMS area left right tool)
  file(WRITE "${program_dir}/${program}" "#!/bin/sh\nif [ \"$1\" = --gtest_list_tests ]; then
printf 'Suite.\\n  ${program}\\n'\nelse echo \"$@ $X $Y\"; fi\n")
  file(CHMOD "${program_dir}/${program}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()
list_tests(tests)
expect_equal(Plain tests "${tests}" "Suite.left | [ \"one\" ]
Suite.right | [ \"one\" ]
p.Suite.area.s | [ \"net\", \"quick\" ]
run.tool | [ \"slow\" ]
")
expect_equal(Plain stderr "${stderr}" "names: Suite.left;Suite.right; \n")
run_ctest(-V)
expect_contains(Plain stdout "${stdout}" "--gtest_filter=Suite.area --gtest_also_run_disabled_tests --a 1 area\n")
expect_contains(Plain stdout "${stdout}" "a;b 2 \n")
expect_match(Plain stdout "${stdout}" "The following tests FAILED:\n[^\n]*run.tool")

run_cmake(Unknown -DMORPH_ENABLED=OFF)

# Switching Morph off later takes back what it wrote for `morph`.
run_cmake(Plain -DMORPH_EXECUTABLE=/bin/false)
read_description(json)
configure("${build_dir}" -DCASE=Plain -DMORPH_ENABLED=OFF)
if(EXISTS "${own_dir}/build.json")
  fail(Plain "build.json is still there")
endif()
